#define _GNU_SOURCE
#include "place.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "end.h"

static int Constants(struct dl_phdr_info *info, size_t size, void *out) {
  struct Place *place = out;
  (void)size;
  if (info->dlpi_addr != place->loaded_at) return 0;
  place->text_begin = UINTPTR_MAX;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W) != 0) continue;
    const uintptr_t begin = info->dlpi_addr + segment->p_vaddr, end = begin + segment->p_memsz;
    if (begin < place->text_begin) place->text_begin = begin;
    if (end > place->text_end) place->text_end = end;
  }
  return 1;
}

struct Place place_of(void *library, const char *table_file) {
  struct Place place = {NULL, 0, 0, 0};
  struct link_map *map = NULL;
  struct stat status;
  const int file = open(table_file, O_RDONLY | O_CLOEXEC);
  if (file < 0 || fstat(file, &status) != 0 || dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) end_case("with params.split there are no types");
  char *text = malloc((size_t)status.st_size + 1);
  if (text == NULL || read(file, text, (size_t)status.st_size) != status.st_size) end_case("with params.split there are no types");
  text[status.st_size] = '\0';
  close(file);
  place.table = TableOf(text);
  free(text);
  place.loaded_at = map->l_addr;
  dl_iterate_phdr(Constants, &place);
  return place;
}

void place_variables(void *library, const struct Named *variables, int count) {
  for (int i = 0; i < count; ++i) {
    const struct Type *type = variables[i].type, *plain = Plain(type);
    void *at = dlsym(library, variables[i].name);
    const ElfW(Sym) *symbol = NULL;
    Dl_info info;
    if (at == NULL || dladdr1(at, &info, (void **)&symbol, RTLD_DL_SYMENT) == 0 || symbol == NULL) continue;
    if ((size_t)SizeOf(type) > symbol->st_size) end_case("with params.split a variable of the solution is smaller than the tests say");
    struct Object *variable = memory_variable(at, symbol->st_size, 2 * (uint32_t)(i + 1));
    variable->type = plain->kind == 'a' ? plain->of : plain;
    variable->active = variable->changeable = 1;
  }
}

// Puts the tests' libraries into run/, with the solution's beside them: all that a run is shown.
//   place listed|single COMPILER OPTION... -- TEST_SOURCE...     beside libsolution.so and test*.so
//
// A solution that defines a function or variable as the C library does is refused by asked.sh, where the tests use it. Few define any.
//
// Of tests that are listed, run/hollow/ has the same over a hollow solution, in which every function returns 0 and does
// nothing: with it cases are listed, so that a solution cannot hide any.
//
// It reads the names itself, for each nm(1) and awk(1) take as long as a compiler does.
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct File {
  const char *bytes;
  size_t size;
};

static void fail(const char *what) {
  fprintf(stderr, "place: %s: %s\n", what, strerror(errno));
  exit(1);
}

static struct File map(const char *path) {
  struct stat status;
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || fstat(fd, &status) != 0) fail(path);
  struct File file = {"", (size_t)status.st_size};
  if (file.size == 0) return file;
  file.bytes = mmap(NULL, file.size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (file.bytes == MAP_FAILED) fail(path);
  close(fd);
  return file;
}

static const void *at(struct File file, uint64_t offset, uint64_t size) {
  if (offset <= file.size && size <= file.size - offset) return file.bytes + offset;
  fprintf(stderr, "place: libsolution.so ends too early\n");
  exit(1);
}

// ---- the solution's names

struct Name {
  const char *text;
  uint64_t size;  // of an object
  int is_function;
};

static struct Name *names;
static size_t name_count;

static int is_identifier(const char *text) {
  if (*text >= '0' && *text <= '9') return 0;
  return *text != '\0' && text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == '\0';
}

static void read_names(struct File file) {
  const Elf64_Ehdr *header = at(file, 0, sizeof *header);
  const Elf64_Shdr *sections = at(file, header->e_shoff, (uint64_t)header->e_shnum * sizeof *sections);
  for (int i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_DYNSYM || sections[i].sh_link >= header->e_shnum) continue;
    const Elf64_Shdr *strings = &sections[sections[i].sh_link];
    const char *texts = at(file, strings->sh_offset, strings->sh_size);
    const size_t count = sections[i].sh_size / sizeof(Elf64_Sym);
    const Elf64_Sym *symbols = at(file, sections[i].sh_offset, count * sizeof *symbols);
    names = calloc(count + 1, sizeof *names);
    if (names == NULL) fail("names");
    for (size_t j = 0; j < count; ++j) {
      const Elf64_Sym *symbol = &symbols[j];
      if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= header->e_shnum || symbol->st_name >= strings->sh_size) continue;
      if (memchr(texts + symbol->st_name, '\0', strings->sh_size - symbol->st_name) == NULL) continue;
      names[name_count++] = (struct Name){texts + symbol->st_name, symbol->st_size, (sections[symbol->st_shndx].sh_flags & SHF_EXECINSTR) != 0};
    }
    return;
  }
}

// ---- those that the C library has as well

static int compare(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

// /prepared/taken, in the order of strcmp.
static const char **read_taken(size_t *count) {
  const struct File file = map("/prepared/taken");
  char *text = malloc(file.size + 1);
  const char **lines = malloc((file.size + 1) * sizeof *lines);
  if (text == NULL || lines == NULL) fail("taken");
  memcpy(text, file.bytes, file.size);
  text[file.size] = '\0';
  *count = 0;
  for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) lines[(*count)++] = line;
  qsort(lines, *count, sizeof *lines, compare);
  return lines;
}

// Writes them into common. How many?
static size_t write_common(void) {
  size_t taken_count = 0, common = 0;
  const char **taken = read_taken(&taken_count);
  FILE *out = fopen("common", "we");
  if (out == NULL) fail("common");
  for (size_t i = 0; i < name_count; ++i) {
    if (bsearch(&names[i].text, taken, taken_count, sizeof *taken, compare) == NULL) continue;
    fprintf(out, "%s\n", names[i].text);
    ++common;
  }
  if (fclose(out) != 0) fail("common");
  return common;
}

static void run(char **words) {
  pid_t child;
  int status;
  errno = posix_spawn(&child, words[0], NULL, NULL, words, environ);
  if (errno != 0 || waitpid(child, &status, 0) != child) fail(words[0]);
  if (status != 0) exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

// ---- the hollow solution

static void write_hollow(const char *path) {
  FILE *out = fopen(path, "we");
  if (out == NULL) fail(path);
  for (size_t i = 0; i < name_count; ++i) {
    const char *name = names[i].text;
    if (!is_identifier(name)) continue;
    if (names[i].is_function) {
      fprintf(out, ".text; .globl %s; .type %s, @function; %s: xor %%eax, %%eax; xor %%edx, %%edx; pxor %%xmm0, %%xmm0; ret\n", name, name, name);
    } else {
      fprintf(out, ".bss; .globl %s; .type %s, @object; .balign 16; %s: .zero 0x%llx + 64; .size %s, 0x%llx + 64\n", name, name, name,
              (unsigned long long)names[i].size, name, (unsigned long long)names[i].size);
    }
  }
  fprintf(out, ".section .note.GNU-stack, \"\", @progbits\n");
  if (fclose(out) != 0) fail(path);
}

static void move_into_run(const char *path) {
  char to[4096];
  snprintf(to, sizeof to, "run/%s", path);
  if (rename(path, to) != 0) fail(path);
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  read_names(map("libsolution.so"));
  if (write_common() != 0) {
    char *words[argc + 3];
    words[0] = "/bin/sh";
    words[1] = "/tally/native/asked.sh";
    for (int i = 2; i <= argc; ++i) words[i] = argv[i];  // with the null behind them
    run(words);
  }
  if (mkdir("run", 0777) != 0) fail("run");
  move_into_run("libsolution.so");
  glob_t tests;
  if (glob("test*.so", 0, NULL, &tests) != 0) fail("test*.so");
  for (size_t i = 0; i < tests.gl_pathc; ++i) move_into_run(tests.gl_pathv[i]);
  if (strcmp(argv[1], "listed") != 0) return 0;
  if (mkdir("run/hollow", 0777) != 0 || link("run/tests.so", "run/hollow/tests.so") != 0) fail("run/hollow");
  write_hollow("hollow.s");
  char *words[] = {argv[2], "-shared", "-nostdlib", "-Wl,-soname,libsolution.so", "-o", "run/hollow/libsolution.so", "hollow.s", NULL};
  run(words);
  return 0;
}

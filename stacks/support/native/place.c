// Puts the tests' libraries into run/, with the solution's beside them: all that a run is shown.
//   place listed|single COMPILER OPTION... -- TEST_SOURCE... [-- ARGUMENT...]     beside libsolution.so and test*.so
// With arguments, each test's library is made first, by the compiler with them. All in one process, for a start takes half a millisecond.
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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "quick_link.h"

struct File {
  const char *bytes;
  size_t size;
};

static struct File map(const char *path) {
  struct stat status;
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || fstat(fd, &status) != 0) cannot(path);
  struct File file = {"", (size_t)status.st_size};
  if (file.size == 0) return file;
  file.bytes = mmap(NULL, file.size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (file.bytes == MAP_FAILED) cannot(path);
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
    if (names == NULL) cannot("names");
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

// The line in `file`, whose lines are in the order of strcmp.
static int has_line(struct File file, const char *line) {
  const char *from = file.bytes, *to = file.bytes + file.size;
  const size_t length = strlen(line);
  while (from < to) {
    const char *begin = from + (to - from) / 2;
    while (begin > from && begin[-1] != '\n') --begin;
    const char *end = memchr(begin, '\n', (size_t)(to - begin));
    if (end == NULL) end = to;
    const size_t found = (size_t)(end - begin);
    int order = memcmp(line, begin, found < length ? found : length);
    if (order == 0) order = (length > found) - (length < found);
    if (order == 0) return 1;
    if (order < 0) to = begin;
    else from = end < to ? end + 1 : to;
  }
  return 0;
}

// Writes them into common. How many?
static size_t write_common(void) {
  const struct File taken = map("/prepared/taken");
  size_t common = 0;
  FILE *out = NULL;
  for (size_t i = 0; i < name_count; ++i) {
    if (!has_line(taken, names[i].text)) continue;
    if (out == NULL && (out = fopen("common", "we")) == NULL) cannot("common");
    fprintf(out, "%s\n", names[i].text);
    ++common;
  }
  if (out != NULL && fclose(out) != 0) cannot("common");
  return common;
}

static void run(char **words) {
  const int status = run_with_errors(words, STDERR_FILENO);
  if (status != 0) exit(status);
}

// ---- the hollow solution

static void write_hollow(const char *path) {
  FILE *out = fopen(path, "we");
  if (out == NULL) cannot(path);
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
  if (fclose(out) != 0) cannot(path);
}

// ---- the tests' libraries

// test.NAME.so, as {test_name} has it: the path in the tests' folder without its ending, in one word (evaluation/command_words.cc).
static void write_library_name(char *to, const char *end_of_room, const char *source) {
  const char *folder = "/box/tests/";
  if (strncmp(source, folder, strlen(folder)) == 0) source += strlen(folder);
  const char *slash = strrchr(source, '/'), *base = slash != NULL ? slash + 1 : source, *dot = strrchr(base, '.');
  const char *end = dot != NULL && dot != base ? dot : source + strlen(source);
  to = stpcpy(to, "test.");
  for (; source < end && to + 8 < end_of_room; ++source) {
    if (*source == '/') to = stpcpy(to, "%2F");
    else if (*source == '%') to = stpcpy(to, "%25");
    else *to++ = *source;
  }
  strcpy(to, ".so");
}

static void make_libraries(char *compiler, char **sources, size_t source_count, char **arguments, size_t argument_count) {
  static char out[] = "-o";
  for (size_t i = 0; i < source_count; ++i) {
    char library[4096];
    write_library_name(library, library + sizeof library, sources[i]);
    char *command[argument_count + 6];
    command[0] = compiler;
    command[1] = out;
    command[2] = library;
    command[3] = sources[i];
    memcpy(command + 4, arguments, argument_count * sizeof *command);
    const int status = quick_link(command, argument_count + 4);
    if (status != 0) exit(status);
  }
}

static void move_into_run(const char *path) {
  char to[4096];
  snprintf(to, sizeof to, "run/%s", path);
  if (rename(path, to) != 0) cannot(path);
}

// Where the next -- is, or the end.
static int next_part(char **argv, int from) {
  while (argv[from] != NULL && strcmp(argv[from], "--") != 0) ++from;
  return from;
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  const int tests_at = next_part(argv, 2), tests_end = argv[tests_at] == NULL ? tests_at : next_part(argv, tests_at + 1);
  if (tests_end < argc) {
    make_libraries(argv[2], argv + tests_at + 1, (size_t)(tests_end - tests_at - 1), argv + tests_end + 1, (size_t)(argc - tests_end - 1));
    argv[argc = tests_end] = NULL;
  }
  read_names(map("libsolution.so"));
  if (write_common() != 0) {
    char *words[argc + 3];
    words[0] = "/bin/sh";
    words[1] = "/tally/native/asked.sh";
    for (int i = 2; i <= argc; ++i) words[i] = argv[i];  // with the null behind them
    run(words);
  }
  if (mkdir("run", 0777) != 0) cannot("run");
  move_into_run("libsolution.so");
  glob_t tests;
  if (glob("test*.so", 0, NULL, &tests) != 0) cannot("test*.so");
  for (size_t i = 0; i < tests.gl_pathc; ++i) move_into_run(tests.gl_pathv[i]);
  if (strcmp(argv[1], "listed") != 0) return 0;
  if (mkdir("run/hollow", 0777) != 0 || link("run/tests.so", "run/hollow/tests.so") != 0) cannot("run/hollow");
  write_hollow("hollow.s");
  char *words[] = {argv[2], "-shared", "-nostdlib", "-Wl,-soname,libsolution.so", "-o", "run/hollow/libsolution.so", "hollow.s", NULL};
  run(words);
  return 0;
}

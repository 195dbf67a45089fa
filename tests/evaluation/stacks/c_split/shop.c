#include "shop.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int calls = 5;
char title[32] = "shop";
const char *words[3] = {"one", "two", "three"};

int add(int a, int b) { ++calls; return a + b; }
double mean(const double *numbers, int count) { double sum = 0; for (int i = 0; i < count; ++i) sum += numbers[i]; return sum / count; }
long many(char a, short b, int c, long d, unsigned char e, float f, double g, long h, int i, bool j, float k) { return a + b + c + d + e + (long)f + (long)g + h + i + j + (long)k; }
Point moved(Point p, double by) { return (Point){p.x + by, p.y + by}; }
Big larger(Big big, int by) { big.day += by; big.much *= by; strcat(big.name, "!"); return big; }
struct small half(struct small s) { return (struct small){s.a / 2, s.b / 2}; }
Color other(Color c) { return c == kRed ? kGreen : kRed; }
bool is_even(unsigned n) { return n % 2 == 0; }
static int Order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
void sort(int *numbers, int count) { qsort(numbers, count, sizeof *numbers, Order); }
void transpose(int rows, int columns, int m[rows][columns], int to[columns][rows]) { for (int i = 0; i < rows; ++i) for (int j = 0; j < columns; ++j) to[j][i] = m[i][j]; }
void fill(int grid[3][4], int with) { for (int i = 0; i < 3; ++i) for (int j = 0; j < 4; ++j) grid[i][j] = with; }
size_t count_letters(const char *text, char letter) { size_t n = 0; for (; *text; ++text) n += *text == letter; return n; }
void upper(char *text) { for (; *text; ++text) *text = (char)toupper(*text); }
char *joined(const char *a, const char *b) { char *all = malloc(strlen(a) + strlen(b) + 1); strcpy(all, a); return strcat(all, b); }
const char *name_of(Color c) { return c == kRed ? "red" : "green"; }
char *in_a_buffer(int n) { static char text[20]; sprintf(text, "<%d>", n); return text; }
char *find(char *text, char letter) { for (; *text; ++text) if (*text == letter) return text; return NULL; }
int longest(const char *const all[], int count) { int best = 0; for (int i = 1; i < count; ++i) if (strlen(all[i]) > strlen(all[best])) best = i; return best; }
static int TextOrder(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
void sort_texts(char **all, int count) { qsort(all, count, sizeof *all, TextOrder); }
struct node *push(struct node *list, int value) { struct node *one = malloc(sizeof *one); one->value = value; one->next = list; return one; }
struct node *reversed(struct node *list) { struct node *before = NULL; while (list) { struct node *next = list->next; list->next = before; before = list; list = next; } return before; }
int sum(const struct node *list) { return list ? list->value + sum(list->next) : 0; }
void release(struct node *list) { while (list) { struct node *next = list->next; free(list); list = next; } }
void append(struct list *list, int value) {
  struct node *one = push(NULL, value);
  if (list->last) list->last->next = one; else list->first = one;
  list->last = one;
  ++list->size;
}
struct tree *insert(struct tree *tree, const char *key) {
  if (tree == NULL) { tree = calloc(1, sizeof *tree); tree->key = strdup(key); tree->count = 1; return tree; }
  const int order = strcmp(key, tree->key);
  if (order == 0) ++tree->count;
  else if (order < 0) tree->left = insert(tree->left, key);
  else tree->right = insert(tree->right, key);
  return tree;
}
struct stack { struct node *top; };
Stack *stack_new(void) { return calloc(1, sizeof(Stack)); }
void stack_push(Stack *stack, int value) { stack->top = push(stack->top, value); }
int stack_pop(Stack *stack) { struct node *top = stack->top; if (!top) return -1; int value = top->value; stack->top = top->next; free(top); return value; }
void stack_free(Stack *stack) { release(stack->top); free(stack); }
void buffer_add(struct buffer *buffer, int value) {
  if (buffer->used == buffer->room) { buffer->room = 2 * buffer->room + 1; buffer->cells = realloc(buffer->cells, buffer->room * sizeof(int)); }
  buffer->cells[buffer->used++] = value;
}
int *largest(int *begin, int *end) { int *best = begin; for (; begin != end; ++begin) if (*begin > *best) best = begin; return best; }
void each(struct node *list, void (*f)(int value, void *to), void *to) { for (; list; list = list->next) f(list->value, to); }
void sort_by(void *base, size_t count, size_t size, int (*order)(const void *, const void *)) { qsort(base, count, size, order); }
void insertion_sort(int *numbers, int count, int (*order)(const int *, const int *)) {
  for (int i = 1; i < count; ++i) {
    int key = numbers[i], j = i;
    for (; j > 0 && order(&key, &numbers[j - 1]) < 0; --j) numbers[j] = numbers[j - 1];
    numbers[j] = key;
  }
}
int apply(int (*f)(int), int n) { return f(f(n)); }
void say(const char *text) { printf("%s\n", text); }
static struct { char key[20]; void *value; } map[10];
static int map_size;
void put(const char *key, void *value) { strcpy(map[map_size].key, key); map[map_size++].value = value; }
void *get(const char *key) { for (int i = 0; i < map_size; ++i) if (strcmp(map[i].key, key) == 0) return map[i].value; return NULL; }
void swap(void **a, void **b) { void *c = *a; *a = *b; *b = c; }

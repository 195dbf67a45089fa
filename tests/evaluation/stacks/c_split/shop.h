#pragma once
#include <stdbool.h>
#include <stddef.h>

enum { kLength = 16 };
typedef enum { kRed, kGreen } Color;
typedef struct { double x, y; } Point;
typedef struct { int day; short month; char name[kLength]; long long much; } Big;
struct small { char a; float b; };
struct node { int value; struct node *next; };
struct tree { char *key; struct tree *left, *right; int count; };
struct list { struct node *first, *last; size_t size; };
typedef struct stack Stack;  // known to the solution alone
struct buffer { int *cells; int used, room; };

extern int calls;
extern char title[32];
extern const char *words[3];

int add(int a, int b);
double mean(const double *numbers, int count);
long many(char a, short b, int c, long d, unsigned char e, float f, double g, long h, int i, bool j, float k);
Point moved(Point p, double by);
Big larger(Big big, int by);
struct small half(struct small s);
Color other(Color c);
bool is_even(unsigned n);
void sort(int *numbers, int count);
void transpose(int rows, int columns, int m[rows][columns], int to[columns][rows]);
void fill(int grid[3][4], int with);
size_t count_letters(const char *text, char letter);
void upper(char *text);
char *joined(const char *a, const char *b);
const char *name_of(Color c);
char *in_a_buffer(int n);
char *find(char *text, char letter);
int longest(const char *const all[], int count);
void sort_texts(char **all, int count);
struct node *push(struct node *list, int value);
struct node *reversed(struct node *list);
int sum(const struct node *list);
void release(struct node *list);
void append(struct list *list, int value);
struct tree *insert(struct tree *tree, const char *key);
Stack *stack_new(void);
void stack_push(Stack *stack, int value);
int stack_pop(Stack *stack);
void stack_free(Stack *stack);
void buffer_add(struct buffer *buffer, int value);
int *largest(int *begin, int *end);
void each(struct node *list, void (*f)(int value, void *to), void *to);
void sort_by(void *base, size_t count, size_t size, int (*order)(const void *, const void *));
void insertion_sort(int *numbers, int count, int (*order)(const int *, const int *));
int apply(int (*f)(int), int n);
void say(const char *text);
void put(const char *key, void *value);
void *get(const char *key);
void swap(void **a, void **b);

// Writes the JUnit XML of one case into memory. For the frameworks' files in C; nothing here is exported.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// At most `most` bytes of it: a report must stay one argument (guard.c, kLongestReport).
static inline void junit_escaped(FILE *out, const char *text, size_t most) {
  for (const unsigned char *at = (const unsigned char *)text; *at != '\0' && most > 0; ++at, --most) {
    switch (*at) {
      case '&': fputs("&amp;", out); break;
      case '<': fputs("&lt;", out); break;
      case '>': fputs("&gt;", out); break;
      case '"': fputs("&quot;", out); break;
      default:
        if (*at == '\n' || *at == '\t') {
          fprintf(out, "&#%d;", *at);
        } else {
          fputc(*at < ' ' ? '?' : *at, out);  // what XML has no way to say
        }
    }
  }
}

// `id` is NAME#CLASS or NAME. `kind` is "failure", "error", "skipped", or NULL for a case that passed; `message` is one
// line, and `details` are the framework's words.
static inline void junit_case(FILE *out, const char *suite, const char *id, const char *kind, const char *message,
                              const char *details) {
  const char *class_name = strrchr(id, '#');
  char *name = strndup(id, class_name == NULL ? strlen(id) : (size_t)(class_name - id));
  fputs("<testsuite name=\"", out);
  junit_escaped(out, suite, 1000);
  fputs("\"><testcase name=\"", out);
  junit_escaped(out, name, 2000);
  fputs("\" classname=\"", out);
  junit_escaped(out, class_name == NULL ? "" : class_name + 1, 1000);
  fputs("\">", out);
  if (kind != NULL) {
    fprintf(out, "<%s message=\"", kind);
    junit_escaped(out, message, 2000);
    fputs("\">", out);
    junit_escaped(out, details, 8000);
    fprintf(out, "</%s>", kind);
  }
  fputs("</testcase></testsuite>", out);
  free(name);
}

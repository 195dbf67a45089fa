// Includes host files: what is readable comes back in the error messages. CE, and compiler_output
// has not a line of the host's /etc/passwd or /etc/shadow.
#include "/etc/passwd"
#include "/etc/shadow"
int main(void) { return 0; }

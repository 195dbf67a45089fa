#!/bin/sh
# Makes short_names/: libraries with the sonames and versions of the C library's, and of all its names those that headers of most programs
# declare, those of what is linked with every test, and their checked forms (__printf_chk). To link against, never to load (quick_link.c).
#   short_names.sh CC
set -eu
compiler=$1
mkdir short_names
cd short_names
{
  printf '#include <%s.h>\n' ctype errno math pthread setjmp signal stdio stdlib string strings time unistd |
    "$compiler" -E -P - | grep -oE '[A-Za-z_][A-Za-z0-9_]* \(' | tr -d ' ('
  nm --undefined-only /prepared/framework.o
  nm -D --undefined-only /prepared/libleaks.so
  printf '__%s\n' assert_fail cxa_atexit cxa_finalize cyg_profile_func_enter cyg_profile_func_exit stack_chk_fail
} | awk '{ sub(/@.*/, "", $NF); sub(/^__real_/, "", $NF); print $NF }' >wanted
for library in libc.so.6 libm.so.6; do
  nm -D --defined-only "$("$compiler" -print-file-name=$library)" | awk -v library=$library '
    NR == FNR { wanted[$1]; next }
    $3 ~ /@@GLIBC_[0-9]/ {
      name = version = $3
      sub(/@@.*/, "", name)
      sub(/.*@@/, "", version)
      plain = name
      if (sub(/^__/, "", plain) && !sub(/_chk$/, "", plain) && !sub(/^isoc[0-9]+_/, "", plain)) plain = name
      if (!(name in wanted) && !(plain in wanted)) next
      printf ".globl %s\n.type %s, @%s\n%s:\n", name, name, $2 ~ /[BDRV]/ ? "object" : "function", name >(library ".s")
      names[version] = names[version] name "; "
    }
    END { for (version in names) printf "%s { %s};\n", version, names[version] >(library ".map") }' wanted -
  "$compiler" -shared -nostdlib -Wl,-soname,$library -Wl,--version-script=$library.map -o $library $library.s
  rm $library.s $library.map
done
rm wanted
# The linker itself: collect2, which gcc starts in its place, does nothing for a shared library but start it.
printf '*linker:\nld\n\n' >specs
echo "-specs=/prepared/short_names/specs -fno-use-linker-plugin -Wl,--build-id=none -nodefaultlibs -Wl,-z,defs /prepared/short_names/libm.so.6 /prepared/short_names/libc.so.6 -l:libc_nonshared.a -lgcc" >link.options

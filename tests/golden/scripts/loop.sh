i=0 sum=0
while [ "$i" -lt 4000 ]; do
  sum=$((sum + i * i % 7)) i=$((i + 1))
  case $i in *99) printf '%s ' "$sum" ;; esac
done
echo "$sum"
f() { [ "$1" -lt 2 ] && { r=$1; return; }; f $(($1 - 1)); r=$((r + $1)); }
f 200; echo "$r"

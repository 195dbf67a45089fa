declare -A count
text="the quick brown fox jumps over the lazy dog and the cat"
for round in {1..40}; do for word in $text; do ((count[$word]++)); done; done
for word in $text; do printf '%s=%s ' "$word" "${count[$word]}"; done
[[ $text =~ (q[a-z]+)\ (b[a-z]+) ]] && echo "${BASH_REMATCH[2]}"
for ((i = 0; i < 2000; i++)); do a[i]=$((i * i)); done
echo "${#a[@]} ${a[1999]} $RANDOM"

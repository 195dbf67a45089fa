var
  n, i, j, x, different: longint;
  sum: int64;
  a: array[0..99999] of longint;
begin
  read(n);
  for i := 0 to n - 1 do
  begin
    read(x);
    j := i - 1;
    while (j >= 0) and (a[j] > x) do
    begin
      a[j + 1] := a[j];
      dec(j);
    end;
    a[j + 1] := x;
  end;
  sum := 0;
  different := 0;
  for i := 0 to n - 1 do
  begin
    sum := sum + int64(a[i]) * (i mod 7);
    if (i = 0) or (a[i] <> a[i - 1]) then inc(different);
  end;
  writeln(sum, ' ', different, ' ', a[n div 2]);
end.

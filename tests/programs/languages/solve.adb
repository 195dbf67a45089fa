with Ada.Containers.Ordered_Sets;
with Ada.Integer_Text_IO; use Ada.Integer_Text_IO;
with Ada.Text_IO;         use Ada.Text_IO;

procedure Solve is
   package Sets is new Ada.Containers.Ordered_Sets (Integer);
   N, X, J : Integer;
   A    : array (0 .. 9999) of Integer;
   Seen : Sets.Set;
   Sum  : Integer := 0;
begin
   Get (N);
   for I in 0 .. N - 1 loop
      Get (X);
      Seen.Include (X);
      J := I - 1;
      while J >= 0 and then A (J) > X loop
         A (J + 1) := A (J);
         J := J - 1;
      end loop;
      A (J + 1) := X;
   end loop;
   for I in 0 .. N - 1 loop
      Sum := Sum + A (I) * (I mod 7);
   end loop;
   Put (Sum, Width => 0);
   Put (" ");
   Put (Integer (Seen.Length), Width => 0);
   Put (" ");
   Put (A (N / 2), Width => 0);
   New_Line;
end Solve;

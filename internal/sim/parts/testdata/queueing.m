% Reference values by the queueing package of GNU Octave, an implementation
% that shares nothing with ours. Write them anew with
%   octave --quiet queueing.m > queueing.txt
% (Debian: octave, octave-queueing). Columns: system, parameters, value.
pkg load queueing
[U R Q X] = qsmm1 (0.8, 1);          printf ("mm1-sojourn 0.8 %.12g\n", R);
[U R Q X] = qsmmm (3.2, 1, 4);       printf ("mmc-line 4 3.2 %.12g\n", Q - 3.2);
[U R Q X] = qsmmm (18, 1, 20);       printf ("mmc-line 20 18 %.12g\n", Q - 18);
printf ("erlang-b 20 18 %.12g\n", erlangb (18, 20));
printf ("erlang-b 5 4 %.12g\n", erlangb (4, 5));
printf ("erlang-c 4 3.2 %.12g\n", erlangc (3.2, 4));
[U R Q X p0 pK] = qsmmmk (2.7, 1, 3, 8); printf ("mmck-loss 3 5 2.7 %.12g\n", pK);
[U R Q X p0 pK] = qsmmmk (4, 1, 3, 8);   printf ("mmck-loss 3 5 4 %.12g\n", pK);
[U R Q X p0] = qsmg1 (0.8, 1, 1);        printf ("mg1-wait 0.8 1 %.12g\n", R - 1);
[U R Q X p0] = qsmg1 (0.8, 1, 1.25);     printf ("mg1-wait 0.8 1.25 %.12g\n", R - 1);

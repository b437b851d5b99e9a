(* Extract the checkers to OCaml. Only bool, option, list, pairs and unit become OCaml's own types; numbers stay the
   binary numbers of Coq, maps its balanced tries, so that nothing is trusted but extraction itself and the driver. *)
From Moose Require Import Cert Countermodel Taxonomy DiagramCheck.
Require Import FMapPositive.
Require Extraction.
Require Import ExtrOcamlBasic.
Extraction Language OCaml.
Extraction "kernel.ml" Cert.build Cert.check Countermodel.check_model Taxonomy.check_taxonomy
  DiagramCheck.check_quantified PositiveMap.add PositiveMap.empty PositiveMap.find.

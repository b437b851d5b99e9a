(* A small reader of JSON: whole numbers only, no key twice in one object, no deep nesting. *)

type t = Null | Bool of bool | Int of int | Text of string | List of t list | Object of (string * t) list

exception Refused of string

let refuse format = Printf.ksprintf (fun reason -> raise (Refused reason)) format
let deepest = 64
let largest = 1 lsl 30

type source = { text : string; mutable place : int }

let peek source = if source.place < String.length source.text then source.text.[source.place] else '\000'
let advance source = source.place <- source.place + 1

let rec skip source =
  match peek source with
  | ' ' | '\n' | '\t' | '\r' -> advance source; skip source
  | _ -> ()

let expect source wanted =
  if peek source <> wanted then refuse "expected %C at byte %d, and it is not JSON" wanted source.place;
  advance source

let word source text value =
  let length = String.length text in
  if source.place + length <= String.length source.text && String.sub source.text source.place length = text
  then (source.place <- source.place + length; value)
  else refuse "byte %d is not JSON" source.place

let hexadecimal source =
  if source.place + 4 > String.length source.text then refuse "a text ends in the middle of a character";
  let digits = String.sub source.text source.place 4 in
  String.iter (function '0' .. '9' | 'a' .. 'f' | 'A' .. 'F' -> () | _ -> refuse "%S is no character" digits) digits;
  source.place <- source.place + 4;
  int_of_string ("0x" ^ digits)

let character source buffer =
  let first = hexadecimal source in
  let code =
    if first >= 0xD800 && first < 0xDC00 then begin
      expect source '\\'; expect source 'u';
      let second = hexadecimal source in
      if second < 0xDC00 || second > 0xDFFF then refuse "a text has half a character";
      0x10000 + ((first - 0xD800) lsl 10) + (second - 0xDC00)
    end else if first >= 0xDC00 && first < 0xE000 then refuse "a text has half a character"
    else first in
  Buffer.add_utf_8_uchar buffer (Uchar.of_int code)

let text source =
  expect source '"';
  let buffer = Buffer.create 32 in
  let rec read () =
    if source.place >= String.length source.text then refuse "a text does not end";
    let letter = peek source in
    advance source;
    match letter with
    | '"' -> Buffer.contents buffer
    | '\\' ->
      let escaped = peek source in
      advance source;
      (match escaped with
       | '"' | '\\' | '/' -> Buffer.add_char buffer escaped
       | 'b' -> Buffer.add_char buffer '\b' | 'f' -> Buffer.add_char buffer '\012'
       | 'n' -> Buffer.add_char buffer '\n' | 'r' -> Buffer.add_char buffer '\r' | 't' -> Buffer.add_char buffer '\t'
       | 'u' -> character source buffer
       | _ -> refuse "byte %d is not JSON" source.place);
      read ()
    | letter when letter < ' ' -> refuse "byte %d is not JSON" source.place
    | letter -> Buffer.add_char buffer letter; read () in
  read ()

let whole_number source =
  let start = source.place in
  if peek source = '-' then advance source;
  let digits = source.place in
  while (match peek source with '0' .. '9' -> true | _ -> false) do advance source done;
  let length = source.place - digits in
  if length = 0 || (length > 1 && source.text.[digits] = '0') then refuse "byte %d is not JSON" start;
  (match peek source with '.' | 'e' | 'E' -> refuse "a certificate has whole numbers only" | _ -> ());
  if length > 12 then refuse "a number has too many digits";
  int_of_string (String.sub source.text start (source.place - start))

let rec value source depth =
  if depth > deepest then refuse "it is nested too deeply; no certificate is";
  skip source;
  match peek source with
  | '{' -> advance source; skip source;
    if peek source = '}' then (advance source; Object []) else members source depth []
  | '[' -> advance source; skip source;
    if peek source = ']' then (advance source; List []) else items source depth []
  | '"' -> Text (text source)
  | 't' -> word source "true" (Bool true)
  | 'f' -> word source "false" (Bool false)
  | 'n' -> word source "null" Null
  | _ -> Int (whole_number source)

and items source depth found =
  let found = value source (depth + 1) :: found in
  skip source;
  match peek source with
  | ',' -> advance source; items source depth found
  | _ -> expect source ']'; List (List.rev found)

and members source depth found =
  skip source;
  let key = text source in
  if List.mem_assoc key found then refuse "the key %S stands twice in one object" key;
  skip source; expect source ':';
  let found = (key, value source (depth + 1)) :: found in
  skip source;
  match peek source with
  | ',' -> advance source; members source depth found
  | _ -> expect source '}'; Object (List.rev found)

let parse text =
  let source = { text; place = 0 } in
  let found = value source 0 in
  skip source;
  if source.place < String.length text then refuse "something follows the certificate at byte %d" source.place;
  found

(* Parts with the types that are expected. *)

let part key = function
  | Object pairs -> (match List.assoc_opt key pairs with Some found -> found | None -> refuse "%S is missing" key)
  | _ -> refuse "expected an object with %S" key

let items what = function List found -> found | _ -> refuse "expected %s to be a list" what
let name what = function Text found -> found | _ -> refuse "expected %s to be a text" what

let number what limit = function
  | Int found when found >= 0 && found < limit -> found
  | _ -> refuse "expected %s to be a whole number from 0 to below %d" what limit

let numbers what limit value = List.map (number what limit) (items what value)

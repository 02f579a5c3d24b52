-- Results longer than max_allowed_packet are NULL, with a warning, before they are made.
select length(concat_ws(',', repeat('a', 8400000), repeat('b', 8400000))) a, length(concat_ws(',', repeat('a', 16777215))) b, length(hex(repeat('a', 8400000))) c, length(quote(repeat('''', 8400000))) d, length(to_base64(repeat('a', 16000000))) e;
select length(weight_string(repeat('a', 8400000))) a, length(json_array(repeat('a', 8400000), repeat('b', 8400000))) b, length(json_object('a', repeat('a', 16777216))) c, length(cast(repeat('a', 4200000) as char character set utf32)) d;
select length(cast('a' as binary(20000000))) a, length(cast('a' as char(20000000))) b, length(cast('a' as binary(4000000000))) c;
set group_concat_max_len = 10000000;
select json_length(json_keys(concat('{', group_concat('"', seq, '": 1'), ', "7": 2}'))) from seq_1_to_1000;

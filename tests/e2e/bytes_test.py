"""What the user gave comes back byte for byte; what is appended is in a fixed order."""

import unittest

from support import EndToEnd, RESULT_COLUMNS, read_table


class Bytes(EndToEnd):
    def geocode(self, content, *arguments, code=0):
        got, messages = self.finish(self.file("in.csv", content), "-o", "out.csv", *arguments)
        self.assertEqual(got, code, messages)
        return (self.folder / "out.csv").read_bytes(), messages

    def check_untouched(self, content, line_end=b"\n", arguments=(), delimiter=b",", records=None):
        """Every record of the input, as it was, then the delimiter and eight cells."""
        output, _ = self.geocode(content, *arguments)
        at = 0
        for record in records or content.split(line_end)[:-1]:
            self.assertEqual(output[at:at + len(record) + 1], record + delimiter)
            at = output.index(line_end, at + len(record)) + len(line_end)
        self.assertEqual(at, len(output))

    def test_golden(self):
        output, _ = self.geocode('id,address\n1,"Paris, France"\n2,qqxyzzyqq\n')
        lines = output.decode().split("\n")
        self.assertEqual(lines[0], "id,address," + ",".join("geo_" + name for name in RESULT_COLUMNS))
        self.assertRegex(lines[1], r'^1,"Paris, France",ok,48\.8\d*,2\.3\d*,"Paris, [^"]*France",locality,[01]?\.?\d*,'
                                   r"gazetteer,gazetteer:ok$")
        self.assertEqual(lines[2:], ["2,qqxyzzyqq,no-match,,,,,,,gazetteer:no-match", ""])

    def test_names_fit_ten_characters(self):
        for name in RESULT_COLUMNS:
            self.assertLessEqual(len("geo_" + name), 10)

    def test_cells_as_they_are(self):
        self.check_untouched(b'id,"address",note\n'
                             b'1, "Paris, France" ,x\n'
                             b'"2","Paris, France","say ""hi"""\n'
                             b"3,  Paris France  ,\xff\xfe\x80\n"
                             b"'4','Paris France',\t\n"
                             b'5,Par"is France,="1+1"\n')

    def test_bom(self):
        output, _ = self.geocode(b'\xef\xbb\xbfaddress,id\n"Paris, France",1\n')
        self.assertTrue(output.startswith(b"\xef\xbb\xbfaddress,id,geo_status"))
        self.assertEqual(output.count(b"\xef\xbb\xbf"), 1)

    def test_crlf(self):
        self.check_untouched(b'id,address\r\n1,"Paris, France"\r\n2,"Berlin, Germany"\r\n', line_end=b"\r\n")

    def test_mixed_line_ends_and_none_at_the_end(self):
        output, _ = self.geocode(b"id,address\r\n1,Paris France\n2,Berlin Germany\r\n3,Rome Italy")
        self.assertEqual([line[-1:] for line in output.split(b"\n")[:3]], [b"\r", b"k", b"\r"])
        self.assertTrue(output.endswith(b"gazetteer:ok"))

    def test_delimiters(self):
        for delimiter in (b";", b"\t", b"|"):
            with self.subTest(delimiter=delimiter):
                (self.folder / "out.csv.gbj").unlink(missing_ok=True)
                self.check_untouched(delimiter.join([b"id", b"ort", b"land"]) + b"\n" +
                                     delimiter.join([b"1", b'"Wien, Innere Stadt"', b"\xc3\x96sterreich"]) + b"\n",
                                     delimiter=delimiter)
                row = read_table(self.folder / "out.csv", delimiter.decode())[0]
                self.assertEqual((row["geo_status"], row["geo_source"]), ("ok", "gazetteer"))

    def test_delimiter_given(self):
        self.check_untouched(b"id:address\n1:Paris France\n", arguments=("--delimiter", ":"), delimiter=b":")

    def test_quoted_newlines(self):
        header, first = b"id,address,note", b'1,"Main Street 1\nParis\nFrance","a\r\nb"'
        content = header + b"\n" + first + b"\n2,Berlin Germany,\n"
        self.check_untouched(content, records=[header, first, b"2,Berlin Germany,"])
        self.assertEqual([row["geo_status"] for row in read_table(self.folder / "out.csv")], ["ok", "ok"])

    def test_short_rows_get_their_cells(self):
        output, _ = self.geocode(b"id,address,note\n1,Paris France\n2,Rome Italy,x,y\n")
        lines = output.split(b"\n")
        self.assertTrue(lines[1].startswith(b"1,Paris France,,ok,"))
        self.assertTrue(lines[2].startswith(b"2,Rome Italy,x,y,ok,"))

    def test_prefix(self):
        output, _ = self.geocode(b"address\nParis France\n", "--prefix", "g_")
        self.assertTrue(output.startswith(b"address,g_status,g_lat,g_lon,g_label,g_prec,g_conf,g_source,g_tried\n"))

    def test_columns_joined_in_the_order_given(self):
        server = self.fake()
        output, messages = self.geocode(b"town,zip,road\nWien,1010,Graben 7\n", "--address", "road", "--address", "zip",
                                        "--address", "town", "--provider", f"nominatim={server.url}")
        self.assertIn("road, zip, town", messages)
        self.assertEqual(server.log()[0]["q"].replace(",", "").split(), ["Graben", "7", "1010", "Wien"])

    def test_labels_with_everything_stay_one_cell(self):
        """Quotes, commas and other letters come back through the provider's answer."""
        server = self.fake()
        query = 'Rue "de" l\'Église, 1; Łódź 東京'
        self.geocode('id,address\n1,"' + query.replace('"', '""') + '"\n2,Paris\n', "--provider", f"nominatim={server.url}")
        rows = read_table(self.folder / "out.csv")
        self.assertEqual(server.log()[0]["q"], query)
        self.assertIn(query, rows[0]["geo_label"])
        self.assertEqual([row["geo_tried"] for row in rows], ["nominatim:ok"] * 2)


if __name__ == "__main__":
    unittest.main()

#include "batch/csv_reader.hpp"

#include "batch/csv_support.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <sstream>

namespace geobreaker {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::read_table;
using testing::Table;
using Cells = std::vector<std::string>;

TEST(CsvReader, CellsAndLineEndsOfPlainRows) {
  const Table table = read_table("id,city\n1,Bonn\n2,\n");
  ASSERT_EQ(table.error, "");
  EXPECT_THAT(table.cells(), ElementsAre(Cells{"id", "city"}, Cells{"1", "Bonn"}, Cells{"2", ""}));
  for (const auto& row : table.rows) EXPECT_EQ(row.line_end, "\n");
}

TEST(CsvReader, QuotedCellsKeepTheirBytesAndGiveTheirText) {
  const Table table = read_table("a,\"b \"\"c\"\", d\",\"\",\"\"\"\"\n");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].cells, (Cells{"a", "b \"c\", d", "", "\""}));
  EXPECT_EQ(table.rows[0].raw_cells, (Cells{"a", "\"b \"\"c\"\", d\"", "\"\"", "\"\"\"\""}));
}

struct Golden {
  const char* name;
  std::string text;
  std::vector<Cells> cells;
};

class CsvGolden : public ::testing::TestWithParam<Golden> {};

TEST_P(CsvGolden, EveryByteComesBackAndTheCellsAreRight) {
  for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::string::npos}) {
    for (const std::size_t block : {std::size_t{64}, std::size_t{100}, std::size_t{1} << 16}) {
      const Table table = read_table(GetParam().text, {.delimiter = ',', .block_bytes = block}, piece);
      ASSERT_EQ(table.error, "") << "piece " << piece << " block " << block;
      EXPECT_EQ(table.bytes(), GetParam().text) << "piece " << piece << " block " << block;
      EXPECT_EQ(table.cells(), GetParam().cells) << "piece " << piece << " block " << block;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Files, CsvGolden,
    ::testing::Values(
        Golden{"empty", "", {}}, Golden{"lf", "a,b\nc,d\n", {{"a", "b"}, {"c", "d"}}},
        Golden{"crlf", "a,b\r\nc,d\r\n", {{"a", "b"}, {"c", "d"}}},
        Golden{"cr", "a,b\rc,d\r", {{"a", "b"}, {"c", "d"}}},
        Golden{"mixed", "a\r\nb\nc\rd\n\re\r\r\nf", {{"a"}, {"b"}, {"c"}, {"d"}, {""}, {"e"}, {""}, {"f"}}},
        Golden{"no_final_newline", "a,b\nc,d", {{"a", "b"}, {"c", "d"}}},
        Golden{"ends_in_delimiter", "a,b\nc,", {{"a", "b"}, {"c", ""}}},
        Golden{"ends_in_quote", "a,\"b\"\nc,\"d\"", {{"a", "b"}, {"c", "d"}}},
        Golden{"ends_in_doubled_quotes", "a,\"\"\"\"", {{"a", "\""}}},
        Golden{"bom", "\xEF\xBB\xBF\"a\",b\nc,d\n", {{"a", "b"}, {"c", "d"}}},
        Golden{"only_bom", "\xEF\xBB\xBF", {}}, Golden{"bom_cut_short", "\xEF\xBB", {{"\xEF\xBB"}}},
        Golden{"quoted_newlines", "a,\"1\n2\r\n3\r4\"\r\n\"\n\",b\n", {{"a", "1\n2\r\n3\r4"}, {"\n", "b"}}},
        Golden{"only_commas", ",,,\n,,,\n", {{"", "", "", ""}, {"", "", "", ""}}},
        Golden{"blank_lines", "a,b\n\n\r\n\nc,d\n\n", {{"a", "b"}, {""}, {""}, {""}, {"c", "d"}, {""}}},
        Golden{"only_newline", "\n", {{""}}},
        Golden{"ragged", "a,b,c\n1\n1,2,3,4\n", {{"a", "b", "c"}, {"1"}, {"1", "2", "3", "4"}}},
        Golden{"quote_inside_unquoted",
               "5\" pipe,a\"b\"\n x,\" y\"\n, \"z\n",
               {{"5\" pipe", "a\"b\""}, {" x", " y"}, {"", " \"z"}}},
        Golden{"text_after_closing_quote",
               "\"a\"b,\"c\" \"d,e\"\n\"f\"\"g\"h\"\"i,j\n",
               {{"ab", "c \"d", "e\""}, {"f\"gh\"\"i", "j"}}},
        Golden{"nul_and_malformed_utf8",
               std::string("a\0b,\xFF\xFE\n\"\0\xC3\",\x80\n", 14),
               {{std::string("a\0b", 3), "\xFF\xFE"}, {std::string("\0\xC3", 2), "\x80"}}},
        Golden{"longer_than_a_block",
               std::string(300, 'x') + ",\"" + std::string(300, ',') + "\"\n" + "y",
               {{std::string(300, 'x'), std::string(300, ',')}, {"y"}}}),
    [](const auto& golden) { return golden.param.name; });

TEST(CsvReader, AMegabyteCellPasses) {
  std::string big(1'000'000, 'x');
  for (std::size_t i = 0; i < big.size(); i += 1000) big[i] = '\n';
  const std::string text = "id,notes\n1,\"" + big + "\"\n2,small\n";
  const Table table = read_table(text, {}, 4096);
  ASSERT_EQ(table.error, "");
  EXPECT_EQ(table.bytes(), text);
  EXPECT_EQ(table.rows[1].cells[1], big);
  EXPECT_EQ(table.rows[2].cells[1], "small");
  EXPECT_EQ(table.rows[2].line, 3U + 1000U);
}

TEST(CsvReader, LinesAreCountedThroughQuotedNewlines) {
  const Table table = read_table("h\r\n\"a\r\nb\"\n\"c\rd\ne\"\r\n\nf\n");
  std::vector<std::size_t> lines;
  for (const auto& row : table.rows) lines.push_back(row.line);
  EXPECT_THAT(lines, ElementsAre(1, 2, 4, 7, 8));
}

TEST(CsvReader, AQuoteNeverClosedNamesTheLineInWhichItOpened) {
  const Table table = read_table("a,b\n1,\"2\n3\",\"4\n5,6\n");
  EXPECT_EQ(table.error, "in.csv, line 3: the quote that opens here is never closed");
  EXPECT_EQ(table.rows.size(), 1U);
}

TEST(CsvReader, ARecordOverTheLimitNamesLineAndLimit) {
  const std::string text = "a\n" + std::string(101, 'x') + "\n";
  EXPECT_EQ(read_table(text, {.record_bytes_max = 101}).error, "");
  EXPECT_EQ(read_table(text, {.record_bytes_max = 100}).error,
            "in.csv, line 2: the record is longer than 100 bytes");
  EXPECT_EQ(read_table(text, {.record_bytes_max = 100, .block_bytes = 64}, 1).error,
            "in.csv, line 2: the record is longer than 100 bytes");
}

TEST(CsvReader, AForgottenQuoteIsFoundAtTheLimit) {
  std::string text = "a\n\"\n\",\"open\n";
  for (int i = 0; i < 1000; ++i) text += "row,row,row\n";
  EXPECT_EQ(read_table(text, {.record_bytes_max = 1000, .block_bytes = 64}, 50).error,
            "in.csv, line 2: the record is longer than 1000 bytes; is the quote that opens in line 3 never "
            "closed?");
}

TEST(CsvReader, AnErrorIsFinal) {
  std::istringstream in("\"open");
  auto reader = CsvReader::open(std::make_unique<StreamSource>(in, "in.csv"));
  ASSERT_TRUE(reader);
  EXPECT_FALSE(reader->next());
  EXPECT_FALSE(reader->next());
}

TEST(CsvReader, DelimiterIsTheMostFrequentOneOutsideQuotes) {
  EXPECT_EQ(read_table("a,b,c\n").delimiter, ',');
  EXPECT_EQ(read_table("strasse;plz;ort\n1,2,3,4,5\n").delimiter, ';');
  EXPECT_EQ(read_table("a\tb\tc, d\n").delimiter, '\t');
  EXPECT_EQ(read_table("a|b\n").delimiter, '|');
  EXPECT_EQ(read_table("\"a,b,c,d\";\"e \"\",\"\",\"\n").delimiter, ';');
  EXPECT_EQ(read_table("\"a\n,,,\";b\n").delimiter, ';');
  EXPECT_EQ(read_table("address\n").delimiter, ',');
  EXPECT_EQ(read_table("a;b,c\n").delimiter, ',');
  EXPECT_EQ(read_table("\xEF\xBB\xBF\"a\";\"b\"").delimiter, ';');
  EXPECT_EQ(read_table("a;b\n", {.delimiter = ','}).delimiter, ',');
}

TEST(CsvReader, DelimiterIsFoundWhenTheHeaderComesInPieces) {
  EXPECT_EQ(read_table("a,b;c;d\n1,1,1,1\n", {.block_bytes = 64}, 1).delimiter, ';');
  const std::string wide = std::string(500, 'x') + ";y\n";
  EXPECT_EQ(read_table(wide, {.block_bytes = 64}, 10).delimiter, ';');
}

TEST(CsvReader, Utf16IsRefusedWithAWayOut) {
  const std::string little(
      "\xFF\xFE"
      "a\0",
      4);
  EXPECT_THAT(read_table(little).error, HasSubstr("in.csv is UTF-16"));
  EXPECT_THAT(read_table("\xFE\xFF").error, HasSubstr("iconv"));
}

TEST(CsvReader, OptionsOutOfRangeAreRefused) {
  EXPECT_THAT(read_table("a", {.delimiter = '"'}).error, HasSubstr("delimiter (byte 34)"));
  EXPECT_THAT(read_table("a", {.delimiter = '\n'}).error, HasSubstr("delimiter (byte 10)"));
  EXPECT_THAT(read_table("a", {.delimiter = '\xC3'}).error, HasSubstr("delimiter (byte 195)"));
  EXPECT_THAT(read_table("a", {.record_bytes_max = 0}).error, HasSubstr("from 1 to 1073741824"));
  EXPECT_THAT(read_table("a", {.block_bytes = 1}).error, HasSubstr("from 64 to"));
}

TEST(CsvReader, ReadsAPipeWhileItIsWritten) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "a,b\n1,", 6), 6);
  auto reader = CsvReader::open(std::make_unique<FdSource>(ends[0], "pipe", Ownership::owned));
  ASSERT_TRUE(reader);
  auto header = reader->next();
  ASSERT_TRUE(header);
  EXPECT_EQ((*header)->raw(), "a,b");
  ASSERT_EQ(::write(ends[1], "2\n", 2), 2);
  auto row = reader->next();
  ASSERT_TRUE(row);
  EXPECT_EQ((*row)->raw(), "1,2");
  ::close(ends[1]);
  auto end = reader->next();
  ASSERT_TRUE(end);
  EXPECT_EQ(*end, nullptr);
}

TEST(CsvSource, WhatCannotBeReadIsNamedWithTheReason) {
  const auto missing = open_source("/nowhere/in.csv");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Errc::unreadable);
  EXPECT_EQ(missing.error().detail, "cannot read /nowhere/in.csv: No such file or directory");
  auto folder = open_source("/tmp");
  ASSERT_TRUE(folder);
  const auto reader = CsvReader::open(std::move(*folder));
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().detail, "cannot read /tmp: Is a directory");
}

}  // namespace
}  // namespace geobreaker

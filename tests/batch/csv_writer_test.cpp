#include "batch/csv_writer.hpp"

#include "batch/csv_cells.hpp"
#include "batch/csv_support.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <sstream>

namespace geobreaker {
namespace {

using testing::PieceSource;
using testing::read_table;

std::string encoded(const std::vector<std::string_view>& cells, char delimiter = ',') {
  std::string out;
  append_csv_cells(out, cells, delimiter);
  return out;
}

/// The whole text with the cells x and y appended to each row.
std::string appended(const std::string& text, std::size_t buffer_bytes = 16) {
  auto reader = CsvReader::open(std::make_unique<PieceSource>(text, 5), {.block_bytes = 64});
  std::ostringstream out;
  CsvWriter writer(std::make_unique<StreamSink>(out, "out.csv"), reader->delimiter(), buffer_bytes);
  EXPECT_TRUE(writer.write(reader->bom()));
  std::size_t columns = 0;
  for (;;) {
    const auto record = reader->next();
    EXPECT_TRUE(record);
    if (*record == nullptr) break;
    if (columns == 0) columns = (*record)->size();
    EXPECT_TRUE(writer.append(**record, columns, encoded({"x", "y"}, reader->delimiter())));
  }
  EXPECT_TRUE(writer.close());
  return out.str();
}

TEST(CsvCells, QuotesOnlyWhereNeeded) {
  EXPECT_EQ(encoded({"a", "", "b c", "d'e"}), "a,,b c,d'e");
  EXPECT_EQ(encoded({"a,b", "say \"hi\"", "1\n2", "1\r2"}), "\"a,b\",\"say \"\"hi\"\"\",\"1\n2\",\"1\r2\"");
  EXPECT_EQ(encoded({"a,b", "a;b"}, ';'), "a,b;\"a;b\"");
}

TEST(CsvWriter, AppendsAndKeepsTheRestOfEachRow) {
  EXPECT_EQ(appended("a,b\n1,2\n"), "a,b,x,y\n1,2,x,y\n");
  EXPECT_EQ(appended("a;b\r\n\"1\";2\r\n"), "a;b;x;y\r\n\"1\";2;x;y\r\n");
  EXPECT_EQ(appended("\xEF\xBB\xBF"
                     "a,b\r1,2"),
            "\xEF\xBB\xBF"
            "a,b,x,y\r1,2,x,y");
  EXPECT_EQ(appended("a,b\n\"1\n1\",\"2\"z\n"), "a,b,x,y\n\"1\n1\",\"2\"z,x,y\n");
}

TEST(CsvWriter, ShortRowsArePaddedSoThatTheColumnsStandUnderTheirHeader) {
  EXPECT_EQ(appended("a,b,c\n1\n\n1,2,3\n"), "a,b,c,x,y\n1,,,x,y\n,,,x,y\n1,2,3,x,y\n");
  EXPECT_EQ(appended("a\n\nb\n"), "a,x,y\n,x,y\nb,x,y\n");
}

TEST(CsvWriter, LongRowsKeepAllTheirCells) { EXPECT_EQ(appended("a,b\n1,2,3\n"), "a,b,x,y\n1,2,3,x,y\n"); }

TEST(CsvWriter, TheShapeOfARowIsTold) {
  auto reader = CsvReader::open(std::make_unique<PieceSource>("a,b\n1\n1,2,3\n\n", 100));
  std::vector<RowShape> shapes;
  for (auto record = reader->next(); *record != nullptr; record = reader->next()) {
    shapes.push_back(shape_of(**record, 2));
  }
  EXPECT_THAT(shapes, ::testing::ElementsAre(RowShape::full, RowShape::too_short, RowShape::too_long,
                                             RowShape::blank));
}

TEST(CsvWriter, AFullDiskIsAnErrorThatNamesTheFile) {
  auto sink = open_sink("/dev/full");
  ASSERT_TRUE(sink);
  CsvWriter writer(std::move(*sink), ',', 16);
  const Status written = writer.write(std::string(100, 'x'));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, Errc::unreadable);
  EXPECT_EQ(written.error().detail, "cannot write /dev/full: No space left on device");
}

TEST(CsvWriter, ABufferThatCannotBeFlushedAtTheEndIsAnError) {
  auto sink = open_sink("/dev/full");
  ASSERT_TRUE(sink);
  CsvWriter writer(std::move(*sink), ',');
  EXPECT_TRUE(writer.write("small"));
  EXPECT_FALSE(writer.close());
}

TEST(CsvWriter, AReaderThatWentAwayIsAnError) {
  ASSERT_NE(std::signal(SIGPIPE, SIG_IGN), SIG_ERR);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  CsvWriter writer(std::make_unique<FdSink>(ends[1], "pipe", Ownership::owned), ',');
  EXPECT_TRUE(writer.write("x"));
  const Status flushed = writer.flush();
  ASSERT_FALSE(flushed);
  EXPECT_EQ(flushed.error().detail, "cannot write pipe: Broken pipe");
}

TEST(CsvWriter, AStreamThatFailsIsAnError) {
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  CsvWriter writer(std::make_unique<StreamSink>(out, "out.csv"), ',');
  EXPECT_TRUE(writer.write("x"));
  EXPECT_FALSE(writer.close());
}

TEST(CsvSink, WhatCannotBeCreatedIsNamedWithTheReason) {
  const auto sink = open_sink("/nowhere/out.csv");
  ASSERT_FALSE(sink);
  EXPECT_EQ(sink.error().detail, "cannot write /nowhere/out.csv: No such file or directory");
}

}  // namespace
}  // namespace geobreaker

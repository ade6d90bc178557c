#include "redis/resp.hpp"

#include <hiredis/hiredis.h>

#include <new>

namespace geobreaker::redis {

namespace {

RespValue value_of(const redisReply& reply) {
  RespValue value;
  switch (reply.type) {
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS:
      value.kind = RespValue::Kind::text;
      value.text.assign(reply.str, reply.len);
      break;
    case REDIS_REPLY_ERROR:
      value.kind = RespValue::Kind::error;
      value.text.assign(reply.str, reply.len);
      break;
    case REDIS_REPLY_INTEGER:
      value.kind = RespValue::Kind::integer;
      value.integer = reply.integer;
      break;
    case REDIS_REPLY_ARRAY:
      value.kind = RespValue::Kind::array;
      value.items.reserve(reply.elements);
      for (std::size_t i = 0; i < reply.elements; ++i) value.items.push_back(value_of(*reply.element[i]));
      break;
    default:
      break;
  }
  return value;
}

}  // namespace

void append_bulk(std::string& out, std::string_view word) {
  out += '$';
  out += std::to_string(word.size());
  out.append("\r\n").append(word).append("\r\n");
}

void append_command(std::string& out, const std::vector<std::string>& words) {
  out += '*';
  out += std::to_string(words.size());
  out += "\r\n";
  for (const std::string& word : words) append_bulk(out, word);
}

void RespReader::Free::operator()(redisReader* reader) const noexcept { redisReaderFree(reader); }

RespReader::RespReader() : reader_(redisReaderCreate()) {
  if (!reader_) throw std::bad_alloc();
}

bool RespReader::feed(std::string_view bytes) {
  broken_ = broken_ || redisReaderFeed(reader_.get(), bytes.data(), bytes.size()) != REDIS_OK;
  return !broken_;
}

std::optional<RespValue> RespReader::next() {
  if (broken_) return std::nullopt;
  void* reply = nullptr;
  broken_ = redisReaderGetReply(reader_.get(), &reply) != REDIS_OK;
  if (broken_ || reply == nullptr) return std::nullopt;
  const std::unique_ptr<redisReply, void (*)(void*)> owned(static_cast<redisReply*>(reply), freeReplyObject);
  return value_of(*owned);
}

}  // namespace geobreaker::redis

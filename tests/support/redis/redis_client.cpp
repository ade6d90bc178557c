#include "support/redis/redis_client.hpp"

#include <hiredis/hiredis.h>

namespace geobreaker::testing {

namespace {

RedisValue value_of(const redisReply& reply) {
  RedisValue value;
  switch (reply.type) {
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS:
      value.kind = RedisValue::Kind::text;
      value.text.assign(reply.str, reply.len);
      break;
    case REDIS_REPLY_ERROR:
      value.kind = RedisValue::Kind::error;
      value.text.assign(reply.str, reply.len);
      break;
    case REDIS_REPLY_INTEGER:
      value.kind = RedisValue::Kind::integer;
      value.integer = reply.integer;
      break;
    case REDIS_REPLY_ARRAY:
      value.kind = RedisValue::Kind::array;
      for (std::size_t i = 0; i < reply.elements; ++i) value.items.push_back(value_of(*reply.element[i]));
      break;
    default:
      break;
  }
  return value;
}

}  // namespace

RedisClient::RedisClient(int port) {
  const timeval patience{10, 0};
  context_ = redisConnectWithTimeout("127.0.0.1", port, patience);
  if (context_ == nullptr || context_->err != 0) {
    const std::string why = context_ == nullptr ? "out of memory" : context_->errstr;
    if (context_ != nullptr) redisFree(context_);
    throw std::runtime_error("no connection to 127.0.0.1:" + std::to_string(port) + ": " + why);
  }
  redisSetTimeout(context_, patience);
}

RedisClient::~RedisClient() { redisFree(context_); }

void RedisClient::append(const std::vector<std::string>& words) {
  std::vector<const char*> texts;
  std::vector<std::size_t> sizes;
  for (const std::string& word : words) {
    texts.push_back(word.data());
    sizes.push_back(word.size());
  }
  redisAppendCommandArgv(context_, static_cast<int>(words.size()), texts.data(), sizes.data());
}

RedisValue RedisClient::read() {
  void* reply = nullptr;
  if (redisGetReply(context_, &reply) != REDIS_OK)
    throw std::runtime_error(std::string("the connection broke: ") + context_->errstr);
  const std::unique_ptr<redisReply, void (*)(void*)> owned(static_cast<redisReply*>(reply), freeReplyObject);
  return value_of(*owned);
}

RedisValue RedisClient::command(const std::vector<std::string>& words) {
  append(words);
  return read();
}

std::vector<RedisValue> RedisClient::pipeline(const std::vector<std::vector<std::string>>& commands) {
  for (const auto& words : commands) append(words);
  std::vector<RedisValue> replies;
  replies.reserve(commands.size());
  for (std::size_t i = 0; i < commands.size(); ++i) replies.push_back(read());
  return replies;
}

std::optional<std::string> RedisClient::get(const std::string& key) {
  RedisValue value = command({"GET", key});
  if (value.kind != RedisValue::Kind::text) return std::nullopt;
  return std::move(value.text);
}

std::vector<std::string> RedisClient::keys(const std::string& pattern) {
  std::vector<std::string> names;
  for (RedisValue& item : command({"KEYS", pattern}).items) names.push_back(std::move(item.text));
  return names;
}

}  // namespace geobreaker::testing

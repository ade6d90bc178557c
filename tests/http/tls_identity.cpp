#include "http/canned_server.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <stdexcept>

namespace geobreaker::test {
namespace {

template <class T, void (*free_it)(T*)>
struct Freed {
  void operator()(T* object) const { free_it(object); }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY, EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509, X509_free>>;

void must(bool good) {
  if (!good) throw std::runtime_error("OpenSSL could not make the certificate");
}

void add_extension(X509* certificate, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  must(extension != nullptr);
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

template <class Write>
std::string pem(Write write) {
  BIO* const memory = BIO_new(BIO_s_mem());
  must(memory != nullptr && write(memory) == 1);
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory, &data);
  std::string text(data, static_cast<std::size_t>(size));
  BIO_free(memory);
  return text;
}

}  // namespace

TlsIdentity make_self_signed(const IdentityOptions& options) {
  constexpr long day_s = 24 * 3600;
  const Key key(EVP_EC_gen("P-256"));
  const Certificate certificate(X509_new());
  must(key && certificate);
  X509_set_version(certificate.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -2 * day_s);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), options.expired ? -day_s : day_s);
  X509_set_pubkey(certificate.get(), key.get());
  X509_NAME* const name = X509_get_subject_name(certificate.get());
  must(X509_NAME_add_entry_by_txt(
           name, "CN", MBSTRING_ASC,
           static_cast<const unsigned char*>(static_cast<const void*>("geobreaker test")), -1, -1, 0) == 1);
  X509_set_issuer_name(certificate.get(), name);
  const bool is_address = options.host.find_first_not_of("0123456789.") == std::string::npos;
  add_extension(certificate.get(), NID_subject_alt_name, (is_address ? "IP:" : "DNS:") + options.host);
  add_extension(certificate.get(), NID_basic_constraints, "critical,CA:TRUE");
  must(X509_sign(certificate.get(), key.get(), EVP_sha256()) != 0);
  return {pem([&](BIO* to) { return PEM_write_bio_X509(to, certificate.get()); }), pem([&](BIO* to) {
            return PEM_write_bio_PrivateKey(to, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
          })};
}

}  // namespace geobreaker::test

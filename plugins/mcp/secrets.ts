/** Takes exact secrets out of a text, and leaves content as it is that only looks like one. */
export function withoutSecrets(secrets: readonly string[], text: string): string {
  let clean = text
  for (const secret of secrets) {
    for (const form of secret.length < shortest ? [] : [secret, JSON.stringify(secret).slice(1, -1)]) clean = clean.replaceAll(form, '[redacted]')
  }
  return clean
}

/** Shorter ones would take words out of the content. */
const shortest = 8

import { sep } from 'node:path'

/** Names that no agent reads or writes: the inside of repositories, variables with secrets, keys and logins. */
const patterns: readonly RegExp[] = [
  /^\.git$/,
  /^\.env(?!\.example$|\.sample$|\.template$)/,
  /\.(?:pem|key|p12|pfx|jks|keystore)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)/,
  /^\.(?:npmrc|netrc|yarnrc(?:\.yml)?|pypirc|git-credentials|ssh|aws|gnupg|docker|kube|sites-agent)$/,
  /^git~\d/,
]

/** True where a part of the path bears such a name, in any case and in the spellings that file systems take for the same. */
export function isProtected(path: string): boolean {
  return path.split(sep).some((part) => isProtectedName(part))
}

export function isProtectedName(name: string): boolean {
  // File systems of Windows and macOS know these names with other letters, dots and blanks at their end, and streams.
  const plain = name.normalize('NFKC').toLowerCase().replaceAll(/\p{Cf}/gu, '').replace(/(?<![. ])[. ]+$/, '').split(':', 1)[0] ?? ''
  return patterns.some((pattern) => pattern.test(plain))
}

/** Nearly every path: no escape, and no segment that begins with a dot. */
const common = /^(?:\/[\w~-][\w.~-]*)*\/?$/
/** What a URL parser leaves as it is, with escapes in upper case. */
const wellFormed = /^\/(?:[\w.~!$&'()*+,;=:@|[\]/-]|%[\dA-F]{2})*$/
/** Empty and dot segments; escaped letters, digits, `-._~`, `#`, `/`, `?`, `\` and control characters. */
const ambiguous = /\/\/|\/\.{1,2}(?:\/|$)|%(?:[01][\dA-F]|2[3DEF]|3[\dF]|4[1-9A-F]|5[\dACF]|6[1-9A-F]|7[\dAEF])/

/**
 * True for a path that every reader takes for the same one, whether or not it decodes it first.
 *
 * A router, an auth hook and a host's middleware that normalise differently would otherwise judge different paths.
 */
export function isPlainPath(path: string): boolean {
  if (common.test(path)) return true
  if (!wellFormed.test(path) || ambiguous.test(path)) return false
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

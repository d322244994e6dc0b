/** The address if following it runs no code: a page of the site, or one of the usual kinds; else `undefined`. */
export function safeHref(href: string): string | undefined {
  // Browsers ignore blanks and control characters in front of and inside a scheme.
  const plain = href.replaceAll(/[\p{Cc}\p{Cf}\p{Z}]+/gu, '')
  const scheme = /^([^/?#]*?):/.exec(plain)?.[1]?.toLowerCase()
  const isSafe = scheme === undefined || ['http', 'https', 'mailto', 'tel'].includes(scheme)
  return plain !== '' && isSafe ? href : undefined
}

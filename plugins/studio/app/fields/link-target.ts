/** What an address such as `www.example.com/book`, or of mail, means; as it is, it leads to a page beside this one. */
export function withScheme(href: string): string | undefined {
  const text = href.trim()
  if (/^[^\s/:@?#]+@[\w-]+(?:\.[\w-]+)+$/.test(text)) return `mailto:${text}`
  return /^(?:[a-z\d-]+\.)+(?!(?:html?|php|pdf|jpe?g|png|svg)\b)[a-z]{2,}(?::\d+)?(?:[/?#]\S*)?$/i.test(text)
    ? `https://${text}`
    : undefined
}

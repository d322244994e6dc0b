/** Returns the text of an element; only those without markup and references are asked for. */
export function elementText(xml: string, name: string): string | undefined {
  const from = xml.indexOf(`<${name}>`)
  const to = xml.indexOf(`</${name}>`, from)
  return from < 0 || to < 0 ? undefined : xml.slice(from + name.length + 2, to)
}

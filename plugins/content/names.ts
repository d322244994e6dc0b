/** A block type in camel case, as content stores have it: `faqAccordion`, and `cta` for `CTA`. */
export function toCamelName(type: string): string {
  if (type === type.toUpperCase()) return type.toLowerCase()
  const run = /^[A-Z]+(?=[A-Z][a-z])/.exec(type)?.[0] ?? type.charAt(0)
  return run.toLowerCase() + type.slice(run.length)
}

/** A block type in small letters. */
export function toLowerName(type: string): string {
  return type.toLowerCase()
}

/** The known block type behind a camel or small name; of any other name, its first letter is raised. */
export function toTypeName(name: string, types: readonly string[]): string {
  const known = types.find((type) => [type, toCamelName(type), toLowerName(type)].includes(name))
  return known ?? name.charAt(0).toUpperCase() + name.slice(1)
}

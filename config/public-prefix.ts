/**
 * The prefix with which a framework lets the browser read a variable, by dependency; the first that a site
 * has.
 */
const prefixes = [
  ['next', 'NEXT_PUBLIC_'],
  ['astro', 'PUBLIC_'],
  ['@sveltejs/kit', 'PUBLIC_'],
  ['nuxt', 'NUXT_PUBLIC_'],
  ['vite', 'VITE_'],
] as const

/** A server such as Express has no such prefix. */
const none = ''

/**
 * All prefixes. That of Next.js comes first, because earlier registrations wrote it into every site, and none
 * comes last.
 */
export const publicPrefixes: readonly string[] = [...new Set(prefixes.map(([, prefix]) => prefix)), none]

/** The variables that name one more editor of a site. */
export const editorVariables: readonly string[] = publicPrefixes.map((prefix) => `${prefix}EDITOR_ORIGIN`)

/** The variable by which plugins read the address of a site. */
export const siteUrlVariable = 'NEXT_PUBLIC_SITE_URL'

/** The variables that name it; the first that is set counts. */
export const siteUrlVariables: readonly string[] = publicPrefixes.map((prefix) => `${prefix}SITE_URL`)

/** Returns the prefix for a site with these dependencies. */
export const publicPrefixOf = (dependencies: Readonly<Record<string, unknown>>): string =>
  prefixes.find(([name]) => name in dependencies)?.[1] ?? none

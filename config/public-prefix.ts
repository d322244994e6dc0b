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

/** The prefix of a site of no such framework, which earlier registrations wrote into every site. */
const usual = 'NEXT_PUBLIC_'

/** All prefixes, the usual one first. */
export const publicPrefixes: readonly string[] = [
  ...new Set([usual, ...prefixes.map(([, prefix]) => prefix)]),
]

/** Returns the prefix for a site with these dependencies. */
export const publicPrefixOf = (dependencies: Readonly<Record<string, unknown>>): string =>
  prefixes.find(([name]) => name in dependencies)?.[1] ?? usual

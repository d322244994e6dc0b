import { BootError } from './errors.ts'

const others: ReadonlySet<string> = new Set(['', 'development', 'test'])

/** True if `NODE_ENV` is `production`. Throws a BootError for an unknown word, which may be a mistyped one. */
export function isProduction({ NODE_ENV: word = '' }: Readonly<Record<string, string | undefined>>): boolean {
  if (word !== 'production' && !others.has(word))
    throw new BootError([`NODE_ENV: expected production, development or test, not '${word}'`])
  return word === 'production'
}

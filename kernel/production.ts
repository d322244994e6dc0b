import { BootError } from './errors.ts'
import { nearest } from './nearest.ts'

type Environment = Readonly<Record<string, string | undefined>>

const usual: ReadonlySet<string> = new Set(['production', 'development', 'test', ''])

/**
 * True if `NODE_ENV` is `production`, and false for any other word, such as `staging`. Throws a BootError for
 * a mistyped `production`, because everything that production closes would be open.
 */
export function isProduction(env: Environment): boolean {
  const problems = productionProblems(env)
  if (problems.length > 0) throw new BootError(problems)
  return env['NODE_ENV'] === 'production'
}

/**
 * Returns a sentence about a mistyped `production`, for a start that reports it together with other problems.
 */
export const productionProblems = ({ NODE_ENV: word = '' }: Environment): readonly string[] =>
  usual.has(word) || !isMistyped(word)
    ? []
    : [`NODE_ENV: expected production, or another word than '${word}', which looks like it`]

/**
 * Returns a warning about a word in `NODE_ENV` that this service does not know; `undefined` for the others.
 */
export const unusualEnvironment = ({ NODE_ENV: word = '' }: Environment): string | undefined =>
  usual.has(word)
    ? undefined
    : 'NODE_ENV is not production, so the development rules apply: what production closes is open'

/** Longer and shorter words, such as `pre-production`, are meant. */
const [shortest, longest] = [8, 12]

/**
 * Whether a word is `production` in other letters, an abbreviation, or differs from it by two or three
 * letters.
 */
function isMistyped(word: string): boolean {
  const letters = word.toLowerCase().replace(/[^a-z]+/g, '')
  if (letters.startsWith('prod') || letters === 'prd') return true
  const isAsLong = letters.length >= shortest && letters.length <= longest
  return isAsLong && nearest(letters, ['production']) !== undefined
}

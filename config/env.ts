import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { BootError } from '../kernel/index.ts'
import { isMissing, messageOf } from './explain.ts'

/** A snapshot of the environment, without blank variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the environment of this process; reads nothing from disk. */
export function currentEnvironment(variables: NodeJS.ProcessEnv = process.env): Environment {
  return Object.freeze(Object.fromEntries(Object.entries(variables).filter(([, value]) => isSet(value))))
}

/**
 * Loads `.env.local` and `.env` from a folder into the environment of this process, because a configuration
 * file may read it too, and returns a snapshot. Existing variables take precedence over `.env.local`, which
 * takes precedence over `.env`. Throws a BootError for a file that cannot be read.
 */
export function readEnvironment(folder: string, variables: NodeJS.ProcessEnv = process.env): Environment {
  for (const file of ['.env.local', '.env']) {
    for (const [name, value] of Object.entries(parseEnv(readText(join(folder, file))))) {
      if (!isSet(variables[name])) variables[name] = value
    }
  }
  return currentEnvironment(variables)
}

const isSet = (value: string | undefined): boolean => value !== undefined && value.trim() !== ''

function readText(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (error) {
    if (isMissing(error, file)) return ''
    const isBinary = error instanceof TypeError
    throw new BootError([
      isBinary
        ? `${file} is not UTF-8 text; save it in that encoding`
        : `${file} cannot be read: ${messageOf(error)}`,
    ])
  }
}

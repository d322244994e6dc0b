import { randomBytes } from 'node:crypto'
import { safeEqual } from '../../../kernel/index.ts'
import { CommandError } from '../shared/command.ts'

/** Where the secret of a site's draft mode comes from; `none` where there is none and none may be kept. */
export type SecretSource = 'reused' | 'given' | 'new' | 'none'

export interface ChosenSecret {
  readonly source: SecretSource
  readonly value: string | undefined
}

/**
 * Chooses the secret of a site's draft mode: the one in its file, else the one that was asked for, else a new
 * one where that can be kept.
 *
 * Refuses one that was asked for beside another one in the file: the site goes on reading the file.
 */
export function chooseSecret({
  given,
  inFile,
  canKeep,
}: {
  readonly given: string | undefined
  readonly inFile: string | undefined
  readonly canKeep: boolean
}): ChosenSecret {
  if (inFile?.trim()) {
    if (given !== undefined && !safeEqual(given, inFile)) throw new CommandError(otherSecret)
    return { source: 'reused', value: inFile }
  }
  if (given !== undefined) return { source: 'given', value: given }
  if (!canKeep) return { source: 'none', value: undefined }
  return { source: 'new', value: randomBytes(32).toString('hex') }
}

const otherSecret =
  '--secret is not the DRAFT_MODE_SECRET in .env.local; leave the flag out, or change the file first'

/** What was changed in the draft and on the site, until a person decides, and what the draft takes over from its site. */
import { call } from '../service.ts'
import type { Diff } from './review.ts'
import { draftId } from './site.ts'

export type Conflict = Diff['conflicts'][number]

const own = { running: 0, version: 0 }

/** Whether a version was made by a decision in this page, which has reported it itself. */
export const isOwn = (version: number): boolean => own.running > 0 || version === own.version

/** Returns the version of a change that a person asked for; `undefined` if nothing in the draft had to change. */
async function versionOf(
  run: () => Promise<{ readonly status: string; readonly version: number }>,
): Promise<number | undefined> {
  own.running += 1
  try {
    const { status, version } = await run()
    own.version = version
    return status === 'followed' ? version : undefined
  } finally {
    own.running -= 1
  }
}

/** Keeps one side of conflicts. */
export const take = (side: 'draft' | 'site', conflicts: readonly Conflict[]) =>
  versionOf(() =>
    call('POST /draft/conflicts', {
      body: {
        ...draftId.value,
        decide: conflicts.map(({ id, theirsVersion }) => ({ id, take: side, seen: theirsVersion })),
      },
    }),
  )

/** Takes over a site that has lost most of its pages, or is on another branch. */
export const followConfirmed = () =>
  versionOf(() => call('POST /draft/follow', { body: { ...draftId.value, confirm: true } }))

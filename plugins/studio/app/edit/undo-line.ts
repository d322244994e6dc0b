/** What a person can do with a line of the history; each is a new line itself. */
import { ApiError, sentenceOf } from '../service.ts'
import { slug, step, titleOf } from '../stores/draft.ts'
import { choose, laterIn, lineOf, restore, stepChoice, undoChange } from '../stores/history.ts'
import { summaryOf } from '../stores/change-summaries.ts'
import { say } from '../stores/toast.ts'
import { view } from '../stores/ui.ts'

let last: Promise<unknown> = Promise.resolve()

/** Takes steps in the order in which they were asked for, so that no sentence replaces that of a later step. */
function inTurn<T>(run: () => Promise<T>): Promise<T> {
  const next = last.then(run)
  last = next
  return next
}

/** Says what was changed, with the undo beside it. */
export const sayChanged = (what: string, version: number): void =>
  say(what, { text: 'Undo', run: () => void undoLine(version) })

/** Makes a change and says it, or why it was refused; `missing` where nothing is there to be changed. */
export async function changing(
  what: string,
  run: () => Promise<number | undefined>,
  missing = 'Nothing had to be changed',
): Promise<void> {
  try {
    const version = await run()
    if (version === undefined) say(missing)
    else sayChanged(what, version)
  } catch (error) {
    say(sentenceOf(error))
  }
}

/** Names what was done, with the way back. */
async function sayDone(version: number): Promise<void> {
  const line = await lineOf(version)
  const text = line?.source === 'undo' ? 'Redo' : 'Undo'
  say(line ? summaryOf(line) : 'Done', { text, run: () => void undoLine(version) })
}

/** Undoes one change from anywhere, and returns whether it did; leads to the history if later changes build on it. */
export function undoLine(version: number, withDependents = false): Promise<boolean> {
  return inTurn(async () => {
    try {
      const done = await undoChange(version, withDependents)
      if (done) {
        await sayDone(done.previewVersion)
        return true
      }
      choose(version)
      view.value = 'history'
      say('Later changes build on it. Choose what to undo.')
    } catch (error) {
      const isDone = error instanceof ApiError && error.code === 'nothing_to_undo'
      say(isDone ? 'It was changed back already' : sentenceOf(error))
    }
    return false
  })
}

/** Undoes or redoes this person's latest change of the shown page; asks where others changed the same since. */
export function takeStep(direction: 'undo' | 'redo'): Promise<void> {
  const on = slug.value
  return inTurn(async () => {
    try {
      await sayDone((await step(direction, on)).previewVersion)
    } catch (error) {
      const { version, changes = [] } = laterIn(error) ?? {}
      const isOver = error instanceof ApiError && error.code === `nothing_to_${direction}`
      if (version !== undefined) stepChoice.value = { direction, version, changes }
      else if (isOver) say(`Nothing of yours to ${direction} on ${titleOf(on)}`, toHistory)
      else say(sentenceOf(error))
    }
  })
}
const toHistory = { text: 'History', run: () => void (view.value = 'history') }

/** Puts the page of a change back to its state after it. */
export function restorePage(version: number): Promise<void> {
  return inTurn(async () => {
    try {
      const { previewVersion } = await restore(version)
      const line = await lineOf(previewVersion)
      if (line?.source === 'restore') await sayDone(previewVersion)
      else say('The page already looks like this')
    } catch (error) {
      say(sentenceOf(error))
    }
  })
}

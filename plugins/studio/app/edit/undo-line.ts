/** What a person can do with a line of the history; each is a new line itself. */
import { sentenceOf } from '../service.ts'
import { choose, restore, undoChange } from '../stores/history.ts'
import { say } from '../stores/toast.ts'
import { view } from '../stores/ui.ts'

/** Undoes one change from anywhere, and returns whether it did; leads to the history if later changes build on it. */
export async function undoLine(version: number, withDependents = false): Promise<boolean> {
  try {
    const done = await undoChange(version, withDependents)
    if (done) {
      say('Undone', { text: 'Redo', run: () => void undoLine(done.previewVersion) })
      return true
    }
    choose(version)
    view.value = 'history'
    say('Later changes build on it. Choose what to undo.')
  } catch (error) {
    say(sentenceOf(error))
  }
  return false
}

export async function restorePage(version: number): Promise<void> {
  try {
    const { previewVersion } = await restore(version)
    say('Page restored', { text: 'Undo', run: () => void undoLine(previewVersion) })
  } catch (error) {
    say(sentenceOf(error))
  }
}

import { undoLine } from '../edit/undo-line.ts'
import { Confirm } from '../parts/question.tsx'
import { stepChoice } from '../stores/history.ts'
import { summaryOf } from '../stores/change-summaries.ts'
import { byWhom } from '../stores/by-whom.ts'
import { List } from './undo.tsx'

/** Asks before an undo, or a redo, of one's own change that undoes later changes of others with it. */
export function StepChoice() {
  const choice = stepChoice.value
  if (!choice) return null
  const { direction, version, changes } = choice
  const texts = changes.map((each) => `${byWhom(each)}: ${summaryOf(each)}`)
  return (
    <Confirm
      label="Changed again since"
      title="Changed again since"
      yes={direction === 'undo' ? 'Undo theirs too' : 'Redo mine, undo theirs'}
      no="Leave it"
      needs="edit"
      onYes={() => void undoLine(version, true)}
      onClose={() => void (stepChoice.value = undefined)}
    >
      <List texts={texts} />
    </Confirm>
  )
}

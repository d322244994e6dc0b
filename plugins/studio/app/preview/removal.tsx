import { Confirm } from '../parts/question.tsx'
import { removal } from '../stores/ui.ts'

/** Asks before a removal that the page in the frame asks for. */
export function Removal() {
  if (!removal.value) return null
  const { what, why, run } = removal.value
  return (
    <Confirm
      label="Delete"
      title={`Delete ${what}?`}
      yes="Delete"
      no="Leave it"
      needs="edit"
      onYes={run}
      onClose={() => void (removal.value = undefined)}
    >
      <p>{why}</p>
    </Confirm>
  )
}

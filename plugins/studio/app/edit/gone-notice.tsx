import { useEffect, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { sentenceOfGone, whoDeleted, type Gone } from '../stores/gone.ts'
import type { ValuePlace } from '../stores/place.ts'
import { undoLine } from './undo-line.ts'

interface GoneNoticeProps {
  readonly place: ValuePlace
  readonly what: Gone['what']
  /** Leaves the fields; their texts are offered apart from them. */
  readonly onLeave: () => void
}

/** Says who has deleted what is still shown, because somebody types in it. */
export function GoneNotice({ place, what, onLeave }: GoneNoticeProps) {
  const [gone, setGone] = useState<Gone>({ what, by: undefined })
  useEffect(() => void whoDeleted(place, what).then(setGone, () => undefined), [what])
  const { version } = gone
  return (
    <div class="conflict stack" role="alert">
      <p>{sentenceOfGone(gone)}</p>
      {version !== undefined && (
        <Button needs="edit" onClick={() => void undoLine(version)}>
          Bring it back
        </Button>
      )}
      <Button onClick={onLeave}>Keep my text</Button>
    </div>
  )
}

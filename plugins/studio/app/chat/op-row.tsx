import { Difference } from '../review/difference.tsx'
import type { OpRow } from '../stores/chat-rows.ts'
import { pointedAt } from '../stores/selection.ts'

interface OpRowProps {
  readonly row: OpRow
  /** What the service says about it, for an operation without a before and after. */
  readonly line: string | undefined
  readonly isTicked: boolean
  readonly onToggle: () => void
}

/** One operation of a plan: its tick box, its before and after; its block is marked in the page meanwhile. */
export function TickedRow({ row, line, isTicked, onToggle }: OpRowProps) {
  const point = (): void => void (pointedAt.value = row.blockId)
  const leave = (): void => void (pointedAt.value = undefined)
  const id = `op-${row.number}`
  return (
    <li class="op" onMouseEnter={point} onMouseLeave={leave} onFocusIn={point} onFocusOut={leave}>
      <label class="tick">
        <input
          type="checkbox"
          checked={isTicked}
          aria-labelledby={`${id}-name`}
          aria-describedby={`${id}-notes`}
          onChange={onToggle}
        />
      </label>
      <div>
        <div id={`${id}-name`}>
          <OpText row={row} line={line} />
        </div>
        <div id={`${id}-notes`}>
          {row.needs.length > 0 && <small>Goes with {row.needs.join(', ')}.</small>}
          {row.doubt !== undefined && <small class="warning">{row.doubt}</small>}
        </div>
      </div>
    </li>
  )
}

/** An operation in words. */
export const OpText = ({ row, line }: { readonly row: OpRow; readonly line?: string | undefined }) => (
  <>
    <b>
      {row.number}. <bdi>{row.title}</bdi>
    </b>{' '}
    <small>{row.what}</small>
    {row.sides.length === 0 && line !== undefined && <p dir="auto">{line}</p>}
    {row.sides.map(({ path, ...side }) => (
      <Difference key={path} name={path} before={undefined} after={undefined} {...side} />
    ))}
  </>
)

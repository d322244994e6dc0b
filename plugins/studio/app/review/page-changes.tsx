import type { ComponentChildren } from 'preact'
import { nameOf, typeOf } from '../stores/block-types.ts'
import type { Block, Page } from '../stores/draft.ts'
import { changedIn, movesIn, ordinal, type IsNamed, type Move } from '../stores/moves.ts'
import type { PageDiff } from '../stores/review.ts'
import { fieldOf, revertedWords, texts } from '../stores/reverted.ts'
import { fieldChanges, type FieldChange } from '../stores/row-changes.ts'
import { metaNames, nameOfPath } from '../stores/words.ts'
import { Difference } from './difference.tsx'
import { Content } from './new-content.tsx'

type BlockDiff = PageDiff['blockDiffs'][number]

interface PageChangesProps {
  readonly page: PageDiff
  /** Whether the log names blocks of a type as moved. */
  readonly isNamed: IsNamed
  /** The page with the changes, for the content of new blocks and the rows of lists. */
  readonly content?: Page | undefined
  /** The blocks and fields that keep their place although they no longer differ. */
  readonly reverted?: ReadonlySet<string | undefined> | undefined
  readonly actions?: ((part: Part) => ComponentChildren) | undefined
}

/** What can be reverted: the texts of the page, a block, one of its several fields, or its move. */
export interface Part {
  readonly block?: BlockDiff
  readonly move?: Move | undefined
  readonly field?: string
  /** The number of fields that a block as a whole has changed. */
  readonly count?: number
}

/** The changes of one page, block by block, in the words of the page. */
export function PageChanges({ page, isNamed, content, reverted, actions }: PageChangesProps) {
  const { titleBefore, titleAfter, metaDiffs = [], blockDiffs } = page
  const moves = movesIn(blockDiffs, isNamed)
  const hasTexts = titleBefore !== undefined || metaDiffs.length > 0
  const changed = new Set(changedIn(blockDiffs, isNamed))
  return (
    <>
      {hasTexts && (
        <section class="block-diff">
          <h3>Page {actions?.({})}</h3>
          {titleBefore !== undefined && <Difference name="Title" before={titleBefore} after={titleAfter} />}
          {metaDiffs.map(({ path, kind, before, after }) => (
            <Difference key={path} name={metaNames[path] ?? path} kind={kind} before={before} after={after} />
          ))}
        </section>
      )}
      {!hasTexts && reverted?.has(texts) && <RevertedPart name="Page" />}
      {blockDiffs.map((block) =>
        changed.has(block) ? (
          <BlockChanges
            key={block.blockId}
            block={block}
            content={content?.blocks.find(({ id }) => id === block.blockId)}
            move={moves.get(block.blockId)}
            reverted={reverted}
            actions={actions}
          />
        ) : (
          reverted?.has(block.blockId) && <RevertedPart key={block.blockId} name={nameOf(block.type)} />
        ),
      )}
    </>
  )
}

export const RevertedPart = ({ name }: { readonly name: string }) => (
  <section class="block-diff">
    <h3>
      {name} <span class="grow" />
      <small>{revertedWords}</small>
    </h3>
  </section>
)

/** What else came or went may leave a block that moved at the same place of the page. */
const MoveWords = ({ move: { from, to } }: { readonly move: Move }) =>
  from === to ? <>moved</> : <>{`${ordinal(from)} → ${ordinal(to)}`}</>

interface BlockChangesProps {
  readonly block: BlockDiff
  readonly reverted: PageChangesProps['reverted']
  readonly actions: PageChangesProps['actions']
  readonly content: Block | undefined
  readonly move: Move | undefined
}

const statuses: Readonly<Record<string, string>> = { added: 'new', removed: 'deleted' }

function BlockChanges({ block, content, move, reverted, actions }: BlockChangesProps) {
  const { blockId, type, status, fieldDiffs = [] } = block
  const changes = fieldChanges(fieldDiffs, content?.props)
  const gone = Object.keys(typeOf.value(type)?.fields ?? {}).filter(
    (name) => reverted?.has(fieldOf(blockId, name)) && !changes.some((each) => each.name === name),
  )
  return (
    <section class="block-diff">
      <h3>
        {nameOf(type)} {statuses[status] && <b class={status}>{statuses[status]}</b>}
        {move && (
          <small>
            <MoveWords move={move} />
          </small>
        )}
        {actions?.({ block, move, count: changes.length })}
      </h3>
      {status === 'added' && content && <Content block={content} />}
      {changes.map((change) => (
        <div key={change.name} class="field-diff">
          <FieldWords type={type} change={change} />
          {changes.length > 1 && actions?.({ block, field: change.name })}
        </div>
      ))}
      {gone.map((name) => (
        <p key={name} class="soft">
          {nameOfPath(type, name)}: {revertedWords}
        </p>
      ))}
    </section>
  )
}

const FieldWords = ({
  type,
  change: { name, moves, diffs },
}: {
  readonly type: string
  readonly change: FieldChange
}) => (
  <div class="grow">
    {moves.map(({ text, from, to }) => (
      <p key={from}>
        <small>{nameOfPath(type, name)}</small> <bdi>{text}</bdi>{' '}
        <small>
          {ordinal(from)} → {ordinal(to)}
        </small>
      </p>
    ))}
    {diffs.map(({ path, kind, before, after }) => (
      <Difference
        key={`${path} ${typeof after}`}
        name={nameOfPath(type, path)}
        kind={kind}
        before={before}
        after={after}
      />
    ))}
  </div>
)

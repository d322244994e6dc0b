import { Button } from '../parts/button.tsx'
import { priced } from './chat-cost.ts'
import { planTurn } from '../stores/chat-plan.ts'
import { changedRowsOf } from '../stores/chat-rows.ts'
import { type ChatResult, isUnread, type Turn } from '../stores/chat-turn.ts'
import { isBusy } from './chat-store.ts'
import { takeStep } from '../edit/undo-line.ts'
import { openPage, page, titleOf } from '../stores/draft.ts'
import { askFor, undoTurn } from './intents.ts'
import { OpText } from './op-row.tsx'
import { PlanCard } from './plan.tsx'
import { Variations } from './variations.tsx'

/** A message, and what came of it. */
export function OneTurn({ turn }: { readonly turn: Turn }) {
  const { message, about, files = [], step, seconds = 0, result, failure, cost, version } = turn
  const hasPlan = turn === planTurn.value
  const isWorking = step !== undefined
  return (
    <article class="turn">
      <p class="me" dir="auto">
        {message}
        {about && <small>about: {about.label}</small>}
        {files.map(({ fileName, originalName }) => (
          <small key={fileName}>{originalName}</small>
        ))}
      </p>
      <StreamedAnswer turn={turn} />
      {isWorking && (
        <p class="soft working">
          <span role="status">{step}…</span> {seconds > 1 && <small aria-hidden="true">{seconds} s</small>}
        </p>
      )}
      {hasPlan && <PlanCard />}
      {!hasPlan && !isWorking && failure === undefined && <Reply turn={turn} />}
      {result?.variations && <Variations turn={turn} />}
      {failure !== undefined && (
        <p class="failure" role="alert">
          {failure}{' '}
          {!hasPlan && (
            <Button disabled={isBusy.value} onClick={() => void askFor(turn)}>
              Try again{cost && ` for about ${priced(cost.usd, cost.tokens)}`}
            </Button>
          )}
        </p>
      )}
      <footer>
        {version !== undefined && (
          <Button needs="edit" onClick={() => void undoTurn(turn)}>
            Undo
          </Button>
        )}
        {result?.status === 'info' && <Shortcuts result={result} />}
        {cost && <small>{priced(cost.usd, cost.tokens)}</small>}
      </footer>
    </article>
  )
}

/** What a person asks for that the studio does itself: to open a page, and to undo. */
const Shortcuts = ({ result: { mentionedSlugs = [], undoSlug } }: { readonly result: ChatResult }) => (
  <>
    {mentionedSlugs.map((slug) => (
      <Button key={slug} onClick={() => void openPage(slug)}>
        Open {titleOf(slug)}
      </Button>
    ))}
    {undoSlug !== undefined && (
      <Button needs="edit" onClick={() => void takeStep('undo')}>
        Undo
      </Button>
    )}
  </>
)

/** What has arrived of an answer, and stays of one that was stopped. */
function StreamedAnswer({ turn: { text = '', ops = [] } }: { readonly turn: Turn }) {
  if (text === '' && ops.length === 0) return null
  return (
    <div class="said stack" dir="auto">
      {text !== '' && <p>{text}</p>}
      <ol class="arriving">
        {changedRowsOf(ops, { pages: page.value ? [page.value] : [] }).map((row) => (
          <li key={row.number}>
            <OpText row={row} />
          </li>
        ))}
      </ol>
    </div>
  )
}

const exactly =
  'Say exactly what should change, with the new text in quotes: to rewrite a text by itself, the chat needs the key of a language model. For example:'

function Reply({ turn }: { readonly turn: Turn }) {
  const { result, outdated } = turn
  if (outdated !== undefined)
    return (
      <p class="warning">
        {outdated}{' '}
        <Button disabled={isBusy.value} onClick={() => void askFor(turn)}>
          Plan again
        </Button>
      </p>
    )
  if (!result || result.status === 'plan_ready') return <p class="soft">This plan is no longer open.</p>
  const { summary, changes, debug } = result
  // What it says of the environment of the server is not for an editor.
  const reply = isUnread(result) ? (debug.hint ?? exactly) : summary
  const more = changes.filter((change) => !reply.startsWith(change))
  return (
    <div class="said stack" dir="auto">
      <p>{reply}</p>
      {more.length > 0 && (
        <ul>
          {more.map((change) => (
            <li key={change}>{change}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

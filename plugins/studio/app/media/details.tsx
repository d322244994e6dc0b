import { useEffect, useState } from 'preact/hooks'
import { Button, IconButton } from '../parts/button.tsx'
import { sentenceOf } from '../service.ts'
import { changes } from '../stores/draft.ts'
import { displayNameOf } from '../stores/block-types.ts'
import { chosen } from './media-store.ts'
import type { Picture } from './pictures.ts'
import { metaNames, nameOfPath } from '../stores/words.ts'
import { Thumb } from './grid.tsx'
import { countOf, openUse, replace, usageOf, type Usage, type Use } from './intents.ts'

/** What is known of the chosen picture. */
export function Details() {
  const picture = chosen.value
  if (!picture) return null
  const { id, name, facts, credit, url } = picture
  return (
    <aside class="card details" aria-label="The chosen picture">
      <header>
        <h2 class="grow" dir="auto">
          {name}
        </h2>
        <IconButton name="x" label="Close" onClick={() => (chosen.value = undefined)} />
      </header>
      <Thumb picture={picture} />
      <p class="soft">{facts.join(' · ')}</p>
      <Credit {...picture} />
      {url === undefined ? null : <Uses key={id} url={url} />}
      {credit === undefined && url === undefined && <p class="soft">It is copied when it is chosen.</p>}
    </aside>
  )
}

export const Credit = ({ credit }: Pick<Picture, 'credit'>) =>
  credit === undefined ? null : (
    <p class="soft">
      <a href={credit.href} target="_blank" rel="noreferrer">
        {credit.text}
      </a>
    </p>
  )

/** Where the draft uses a picture, and the way to replace it there. */
function Uses({ url }: { readonly url: string }) {
  const [usage, setUsage] = useState<Usage | string | undefined>(undefined)
  const version = changes.value
  useEffect(() => {
    let isOver = false
    const show = (next: Usage | string): void => void (!isOver && setUsage(next))
    usageOf(url).then(show, (error: unknown) => show(sentenceOf(error)))
    return () => void (isOver = true)
  }, [url, version])
  if (usage === undefined) return <p class="soft">Finding where it is used…</p>
  if (typeof usage === 'string') return <p class="failure">{usage}</p>
  const { uses, isCut } = usage
  const places = countOf(uses.length)
  return (
    <>
      <h3 aria-live="polite">
        {uses.length === 0 ? 'Used nowhere' : `Used in ${isCut ? 'more than ' : ''}${places}`}
      </h3>
      <ul class="uses stack">
        {uses.map((use) => (
          <li key={JSON.stringify([use.slug, use.blockId, use.path])}>
            <button type="button" onClick={() => void openUse(use)}>
              <b dir="auto">{use.title ?? 'Site settings'}</b>
              <small>{placeOf(use)}</small>
            </button>
          </li>
        ))}
      </ul>
      {uses.length > 0 && !isCut && (
        <Button needs="edit" onClick={() => replace(url, places)}>
          Replace everywhere…
        </Button>
      )}
    </>
  )
}

function placeOf({ blockType, path }: Use): string {
  if (blockType !== undefined) return `${displayNameOf(blockType)} · ${nameOfPath(blockType, path)}`
  return path === 'logo' ? 'Logo' : (metaNames[path.replace('meta.', '')] ?? path)
}

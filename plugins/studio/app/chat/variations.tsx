import { Picture } from '../fields/picture.tsx'
import { Button } from '../parts/button.tsx'
import type { Turn } from '../stores/chat-turn.ts'
import { typeOf } from '../stores/block-types.ts'
import { nameOfPath, readingOf, wordsOf } from '../stores/words.ts'
import { applyVariation } from './intents.ts'

/** Other contents of a block beside each other; one click applies one. */
export function Variations({ turn }: { readonly turn: Turn }) {
  const { variations = [], blockType = '' } = turn.result ?? {}
  const fields = typeOf.value(blockType)?.fields
  return (
    <div class="variations" role="group" aria-label="Variations">
      {variations.map((variation) => (
        <section key={variation.id} class="card stack">
          <h3 dir="auto">{variation.title}</h3>
          <small dir="auto">{variation.summary}</small>
          {variation.changedKeys.map((name) => (
            <div key={name} class="difference">
              <small>{nameOfPath(blockType, name)}</small>
              {fields?.[name]?.kind === 'image' ? (
                <Picture value={wordsOf(variation.patch[name])} />
              ) : (
                <p class="words" dir="auto">
                  {readingOf(variation.patch[name], fields?.[name]?.kind)}
                </p>
              )}
            </div>
          ))}
          <Button needs="edit" onClick={() => void applyVariation(turn, variation)}>
            Use this
          </Button>
        </section>
      ))}
    </div>
  )
}

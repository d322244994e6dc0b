import { Button } from '../parts/button.tsx'
import { Difference } from '../review/difference.tsx'
import type { Turn } from '../stores/chat-turn.ts'
import { typeOf } from '../stores/block-types.ts'
import { nameOfPath } from '../stores/words.ts'
import { applyVariation } from './intents.ts'

/** Other contents of a block beside each other; one click applies one. */
export function Variations({ turn }: { readonly turn: Turn }) {
  const { variations = [], blockType = '', baseProps = {} } = turn.result ?? {}
  const fields = typeOf.value(blockType)?.fields
  return (
    <div class="variations" role="group" aria-label="Variations">
      {variations.map((variation) => (
        <section key={variation.id} class="card">
          <h3 dir="auto">{variation.title}</h3>
          <small dir="auto">{variation.summary}</small>
          {variation.changedKeys.map((name) => (
            <Difference
              key={name}
              name={nameOfPath(blockType, name)}
              kind={fields?.[name]?.kind === 'image' ? 'image' : 'text'}
              before={baseProps[name]}
              after={variation.patch[name]}
            />
          ))}
          <Button needs="edit" onClick={() => void applyVariation(turn, variation)}>
            Use this
          </Button>
        </section>
      ))}
    </div>
  )
}

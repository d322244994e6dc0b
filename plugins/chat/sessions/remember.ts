import type { Ending } from '../run/ending.ts'
import type { Run } from '../run/run.ts'
import type { Told } from '../stages/tell.ts'
import type { Remembered } from './memory.ts'

/** What a session remembers of a run. */
export function remembered({ said }: Run, { ending, result }: Told): Remembered {
  return { said, answered: result.summary, question: questionAfter(ending) }
}

/** Whether a question is open after a run: a complete request settles it, whatever came of that. */
function questionAfter(ending: Ending): Remembered['question'] {
  switch (ending.kind) {
    case 'asked':
      return ending.open ? { kind: 'asked', question: ending.open } : { kind: 'failed' }
    case 'unsupported':
      return { kind: 'failed' }
    case 'answered':
    case 'varied':
    case 'notVaried':
    case 'failed':
    case 'mismatched':
    case 'nothingPending':
      return { kind: 'untouched' }
    default:
      return { kind: 'settled' }
  }
}

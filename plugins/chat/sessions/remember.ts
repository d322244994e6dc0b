import type { Ending } from '../run/ending.ts'
import type { Run } from '../run/run.ts'
import type { Told } from '../stages/tell.ts'
import type { Remembered } from './memory.ts'

/** What a session remembers of a run; a request of its own drops the question that was open, whatever came of it. */
export function remembered({ said }: Run, { ending, result }: Told, isRequest = false): Remembered {
  const question = questionAfter(ending)
  return { said, answered: result.summary, question: isRequest && question.kind !== 'asked' ? { kind: 'settled' } : question }
}

/** Whether a question is open after a run: a complete request settles it, whatever came of that. */
function questionAfter(ending: Ending): Remembered['question'] {
  switch (ending.kind) {
    case 'asked':
      return ending.open ? { kind: 'asked', question: ending.open } : { kind: 'failed' }
    case 'unsupported':
      return { kind: 'failed' }
    case 'failed':
    case 'mismatched':
    case 'nothingPending':
      return { kind: 'untouched' }
    default:
      return { kind: 'settled' }
  }
}

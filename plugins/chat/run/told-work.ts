import type { ToldWork } from './observer.ts'
import type { RunContext } from './runner.ts'

/** Does something that takes its time, and tells when it begins and when it is over, however it ends. */
export async function whileTold<T>({ tell }: Pick<RunContext, 'tell'>, what: ToldWork, work: () => Promise<T>): Promise<T> {
  tell?.({ kind: 'work', what, isOver: false })
  try {
    return await work()
  } finally {
    tell?.({ kind: 'work', what, isOver: true })
  }
}

import type { Worker } from 'node:worker_threads'

/** Returns the first message of a worker, and ends it. Rejects if it fails, or exits without one. */
export async function workerResult(worker: Worker): Promise<unknown> {
  try {
    return await new Promise((resolve, reject) => {
      worker
        .once('message', resolve)
        .once('error', reject)
        .once('exit', () => reject(new Error('the worker exited without a result')))
    })
  } finally {
    await worker.terminate()
  }
}

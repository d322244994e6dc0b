/** Checks the database file in `workerData`, and posts what SQLite finds: `ok`, or the first damage. */
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

const file: string = workerData
const database = new DatabaseSync(file)
const found = database.prepare('pragma integrity_check(1)').get()
database.close()
parentPort?.postMessage(found?.['integrity_check'])

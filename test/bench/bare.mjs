// A minimal server, as the baseline of a start.
import { createServer } from 'node:http'

createServer((request, response) => response.end('{"ok":true}')).listen(Number(process.argv[2]), '127.0.0.1')

// The least that a server can be: what a start is compared with.
import { createServer } from 'node:http'

createServer((request, response) => response.end('{"ok":true}')).listen(Number(process.argv[2]), '127.0.0.1')

// The least of an LSP agent: one request to a server of its own.
import { spawn } from 'node:child_process';

/** Pushes a custom tool's edit. */
export async function push(agent, folder, label, edit) {
  const server = spawn(process.env.PENDING_LSP, [], { ...agent.options, stdio: ['pipe', 'pipe', 'inherit'] });
  const send = (message) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const answers = new Map();
  let buffer = Buffer.alloc(0);
  server.stdout.on('data', (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const head = /^Content-Length: (\d+)\r\n\r\n/.exec(buffer.toString('latin1'));
      if (!head || buffer.length < head[0].length + Number(head[1])) {
        return;
      }
      const end = head[0].length + Number(head[1]);
      const message = JSON.parse(buffer.subarray(head[0].length, end).toString());
      buffer = buffer.subarray(end);
      answers.get(message.id)?.(message);
    }
  });
  const request = (id, method, params) =>
    new Promise((resolve, reject) => {
      answers.set(id, ({ result, error }) => (error ? reject(new Error(JSON.stringify(error))) : resolve(result)));
      send({ id, method, params });
    });
  try {
    await request(1, 'initialize', { processId: null, capabilities: {}, clientInfo: { name: 'test agent' }, workspaceFolders: [{ uri: `file://${folder}`, name: 'x' }] });
    send({ method: 'initialized', params: {} });
    const { details } = await request(2, 'workspace/executeCommand', { command: 'pending-lsp.push', arguments: [{ label, edit }] });
    return details.actionId;
  } finally {
    server.stdin.end();
    server.kill('SIGKILL');
  }
}

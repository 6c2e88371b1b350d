import type { Server } from 'rxmcp';
import { defineServer } from 'rxmcp';
import { offerResources, resource } from 'rxmcp/resources';

/** What the log says. */
export const appLogText = '2025-11-25 08:00:01 信息 服务已启动\n2025-11-25 08:00:02 警告 磁盘空间不足\n';

/** The guides' first server: one log file, nothing that changes. */
export function appLog(): Server {
  const log = resource(
    'file:///logs/app.log',
    { name: 'Application Logs', description: '应用程序日志', mimeType: 'text/plain' },
    appLogText,
  );
  return defineServer({
    info: { name: 'example-server', version: '1.0.0' },
    offers: [offerResources([log])],
  });
}

import type { Server } from 'rxmcp';
import { defineServer, offerMethod, progressItem, RpcError } from 'rxmcp';
import { offerLogging } from 'rxmcp/logging';
import { offerPrompts, prompt, user } from 'rxmcp/prompts';
import { offerResources, resource } from 'rxmcp/resources';
import { offerTools, text, tool, ToolError } from 'rxmcp/tools';
import { concat, of } from 'rxjs';
import * as z from 'zod';

/** Names, titles, descriptions, arguments, values, progress, logs and errors, all of them Chinese. */
export function chinese(): Server {
  const greet = tool(
    '问候',
    { title: '问候某人', description: '说一句话', input: z.object({ 姓名: z.string() }) },
    ({ 姓名 }, ctx) => {
      ctx.log('info', { 收到: 姓名 }, '日志员');
      return concat(of(progressItem(1, 2, '进行中…')), of(text(`你好，${姓名}！😀𠮷`)));
    },
  );
  const fails = tool('失败', {}, () => {
    throw new ToolError('磁盘已满，请清理');
  });
  const refuses = tool('拒绝', {}, () => {
    throw new RpcError(7, '没有权限', { 原因: '未登录' });
  });
  const weekly = prompt(
    '周报',
    { description: '写周报', arguments: [{ name: '主题', description: '写什么', required: true }] },
    ({ 主题 }) => user(`请写一份关于“${主题}”的周报`),
  );
  return defineServer({
    info: { name: '图书馆服务器', version: '1.0.0', title: '图书馆' },
    instructions: '请先列出资源。',
    offers: [
      offerTools([greet, fails, refuses]),
      offerPrompts([weekly]),
      offerResources([
        resource('file:///书架/第一本.txt', { name: '第一本书', mimeType: 'text/plain' }, '从前……'),
      ]),
      offerLogging(),
      offerMethod('图书馆/借书', {}, ({ 书名 }) => ({ 借到: 书名 })),
    ],
  });
}

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('conversations', '0001_initial'),
        ('teams', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='conversation',
            name='team',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='conversations', to='teams.team', verbose_name='team'),
        ),
        migrations.AddField(
            model_name='event',
            name='conversation',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='conversations.conversation', verbose_name='conversation'),
        ),
        migrations.AddField(
            model_name='humanrequest',
            name='decided_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='decided by'),
        ),
        migrations.AddField(
            model_name='message',
            name='conversation',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='messages', to='conversations.conversation'),
        ),
        migrations.AddField(
            model_name='message',
            name='model_call',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='message', to='conversations.modelcall'),
        ),
        migrations.AddField(
            model_name='modelcall',
            name='system',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='conversations.payload', verbose_name='system text'),
        ),
        migrations.AddField(
            model_name='modelcall',
            name='tools',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='conversations.payload', verbose_name='tools offered'),
        ),
        migrations.AddField(
            model_name='run',
            name='cancel_requested_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='stop asked for by'),
        ),
        migrations.AddField(
            model_name='run',
            name='conversation',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='conversations.conversation', verbose_name='conversation'),
        ),
        migrations.AddField(
            model_name='run',
            name='follows',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='followers', to='conversations.run', verbose_name='follows'),
        ),
        migrations.AddField(
            model_name='run',
            name='request',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='started_run', to='conversations.message', verbose_name='request'),
        ),
        migrations.AddField(
            model_name='run',
            name='requested_by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='runs', to=settings.AUTH_USER_MODEL, verbose_name='requested by'),
        ),
        migrations.AddField(
            model_name='run',
            name='retry_of',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='retries', to='conversations.run', verbose_name='retry of'),
        ),
        migrations.AddField(
            model_name='run',
            name='team_version',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='teams.teamversion', verbose_name='version'),
        ),
        migrations.AddField(
            model_name='message',
            name='run',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='messages', to='conversations.run'),
        ),
        migrations.AddField(
            model_name='humanrequest',
            name='run',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='human_requests', to='conversations.run', verbose_name='run'),
        ),
        migrations.AddField(
            model_name='event',
            name='run',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='events', to='conversations.run', verbose_name='run'),
        ),
        migrations.AddField(
            model_name='standingapproval',
            name='conversation',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='standing_approvals', to='conversations.conversation'),
        ),
        migrations.AddField(
            model_name='standingapproval',
            name='given_by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='given by'),
        ),
        migrations.AddField(
            model_name='taskrun',
            name='parent',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='children', to='conversations.taskrun', verbose_name='delegated by'),
        ),
        migrations.AddField(
            model_name='taskrun',
            name='run',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='task_runs', to='conversations.run', verbose_name='run'),
        ),
        migrations.AddField(
            model_name='modelcall',
            name='task_run',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='model_calls', to='conversations.taskrun', verbose_name='task run'),
        ),
        migrations.AddField(
            model_name='message',
            name='task_run',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='messages', to='conversations.taskrun'),
        ),
        migrations.AddField(
            model_name='humanrequest',
            name='task_run',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='human_requests', to='conversations.taskrun', verbose_name='task run'),
        ),
        migrations.AddField(
            model_name='thread',
            name='conversation',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='threads', to='conversations.conversation'),
        ),
        migrations.AddField(
            model_name='taskrun',
            name='thread',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='task_runs', to='conversations.thread', verbose_name='thread'),
        ),
        migrations.AddField(
            model_name='message',
            name='thread',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='messages', to='conversations.thread'),
        ),
        migrations.AddField(
            model_name='toolcall',
            name='full_result',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='conversations.payload', verbose_name='result in full'),
        ),
        migrations.AddField(
            model_name='toolcall',
            name='model_call',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tool_calls', to='conversations.modelcall', verbose_name='model call'),
        ),
        migrations.AddField(
            model_name='toolcall',
            name='task_run',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tool_calls', to='conversations.taskrun', verbose_name='task run'),
        ),
        migrations.AddField(
            model_name='taskrun',
            name='origin_call',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='child', to='conversations.toolcall', verbose_name='asked for by'),
        ),
        migrations.AddField(
            model_name='humanrequest',
            name='call',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='human_requests', to='conversations.toolcall', verbose_name='call'),
        ),
        migrations.AddIndex(
            model_name='conversation',
            index=models.Index(fields=['owner', '-updated_at'], name='conversation_owner'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(condition=models.Q(('state__in', ('QUEUED', 'RUNNING', 'RESUMING'))), fields=['lease_until'], name='run_claimable'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['-created_at'], name='run_newest'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ('QUEUED', 'RUNNING', 'WAITING_FOR_HUMAN', 'RESUMING'))), fields=('conversation',), name='run_one_open_per_conversation'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.UniqueConstraint(condition=models.Q(('client_id', ''), _negated=True), fields=('conversation', 'requested_by', 'client_id'), name='run_client_id_unique'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.UniqueConstraint(fields=('conversation', 'number'), name='event_number_unique'),
        ),
        migrations.AddConstraint(
            model_name='standingapproval',
            constraint=models.UniqueConstraint(fields=('conversation', 'tool_uid'), name='standingapproval_unique'),
        ),
        migrations.AddConstraint(
            model_name='thread',
            constraint=models.UniqueConstraint(condition=models.Q(('key', ''), _negated=True), fields=('conversation', 'key'), name='thread_key_unique'),
        ),
        migrations.AddIndex(
            model_name='message',
            index=models.Index(fields=['thread', 'number'], name='message_thread'),
        ),
        migrations.AddConstraint(
            model_name='message',
            constraint=models.UniqueConstraint(fields=('conversation', 'number'), name='message_number_unique'),
        ),
        migrations.AddIndex(
            model_name='toolcall',
            index=models.Index(fields=['-created_at'], name='toolcall_newest'),
        ),
        migrations.AddConstraint(
            model_name='toolcall',
            constraint=models.UniqueConstraint(fields=('model_call', 'position'), name='toolcall_position_unique'),
        ),
        migrations.AddIndex(
            model_name='taskrun',
            index=models.Index(fields=['run', 'started_at'], name='taskrun_run'),
        ),
        migrations.AddIndex(
            model_name='taskrun',
            index=models.Index(fields=['-started_at'], name='taskrun_newest'),
        ),
        migrations.AddIndex(
            model_name='humanrequest',
            index=models.Index(fields=['state', 'expires_at'], name='humanrequest_due'),
        ),
        migrations.AddConstraint(
            model_name='humanrequest',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'PENDING')), fields=('call',), name='humanrequest_one_open_per_call'),
        ),
    ]
